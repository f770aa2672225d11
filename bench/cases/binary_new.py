"""Kinds of bench/binary that no schema or search of whittle was made for when they were added. Each function returns the bytes
of a file."""

import io
import os
import random
import struct

from binary_more import KEPT, SAID, load, made

WORDS = ("an", "river", "stones", "cloudy", "ember", "granary", "lever", "northward", "orb", "pearls")


def phrase(rng, n):
    return " ".join(rng.choice(WORDS) for _ in range(n))


def make_protobuf(rng):
    def varint(n):
        out = b""
        while n > 127:
            out += bytes([n & 127 | 128])
            n >>= 7
        return out + bytes([n])

    def text(field, data):
        return varint(field << 3 | 2) + varint(len(data)) + data

    out = b""
    for i in range(60):
        row = text(1, phrase(rng, 3).encode()) + varint(2 << 3) + varint(rng.randrange(1 << 40)) + text(3, phrase(rng, rng.randrange(1, 40)).encode())
        if i == 41:
            row += text(9, text(2, KEPT.encode()) + varint(1 << 3) + varint(7))
        out += text(5, row)
    return out


def make_webp(rng):
    from PIL import Image

    frames = []
    for _ in range(6):
        image = Image.new("RGB", (40, 30))
        image.putdata([((x * x // 7 + rng.randrange(90)) & 255, x & 255, rng.randrange(99)) for x in range(1200)])
        frames.append(image)
    out = io.BytesIO()
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:], lossless=True, xmp=(phrase(rng, 30) + KEPT).encode())
    return out.getvalue()


def make_jp2(rng):
    from PIL import Image

    image, out = Image.new("RGB", (96, 80)), io.BytesIO()
    image.putdata([((x * x // 7 + rng.randrange(90)) & 255, x & 255, rng.randrange(99)) for x in range(96 * 80)])
    image.save(out, "JPEG2000", irreversible=True, tile_size=(32, 32))
    return out.getvalue()


def make_woff(rng):
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    names, build, glyphs = [".notdef"] + ["g%d" % i for i in range(30)], FontBuilder(1000), {}
    for name in names:
        pen = TTGlyphPen(None)
        pen.moveTo((0, 0))
        for _ in range(rng.randrange(3, 12)):
            pen.lineTo((rng.randrange(900), rng.randrange(900)))
        pen.closePath()
        glyphs[name] = pen.glyph()
    build.setupGlyphOrder(names)
    build.setupCharacterMap({65 + i: name for i, name in enumerate(names[1:])})
    build.setupGlyf(glyphs)
    build.setupHorizontalMetrics({name: (600, 0) for name in names})
    build.setupHorizontalHeader(ascent=800, descent=-200)
    build.setupNameTable({"familyName": KEPT, "styleName": "Regular", "licenseDescription": phrase(rng, 60)})
    build.setupOS2()
    build.setupPost()
    build.font["head"].created = build.font["head"].modified = 3600000000
    build.font.recalcTimestamp = False
    build.font.flavor = "woff"
    out = io.BytesIO()
    build.save(out)
    return out.getvalue()


def make_icc(rng):
    def tag(kind, body):
        return kind + b"\0\0\0\0" + body + b"\0" * (-len(body) % 4)

    def text(words):
        data = words.encode("utf-16-be")
        return tag(b"mluc", struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(data), 28) + data)

    xyz = [tag(b"XYZ ", struct.pack(">iii", *(rng.randrange(65536) for _ in range(3)))) for _ in range(4)]
    curve = tag(b"curv", struct.pack(">I256H", 256, *(x * x for x in range(256))))
    tags = [(b"desc", text(KEPT)), (b"cprt", text(phrase(rng, 20))), (b"dmdd", text(phrase(rng, 9))), (b"dmnd", text(phrase(rng, 5)))]
    tags += list(zip((b"wtpt", b"rXYZ", b"gXYZ", b"bXYZ"), xyz)) + [(b"rTRC", curve), (b"gTRC", curve), (b"bTRC", tag(b"curv", struct.pack(">IH", 1, 512)))]
    at, table, body = 128 + 4 + 12 * len(tags), b"", b""
    for name, data in tags:
        table += name + struct.pack(">II", at + len(body), len(data))
        body += data
    head = struct.pack(">I4sI4s4s4s12s4s", at + len(body), b"lcms", 0x04300000, b"mntr", b"RGB ", b"XYZ ", b"\7\xe8\0\1\0\1" + b"\0" * 6, b"acsp")
    head += b"APPL" + b"\0" * 24 + struct.pack(">iii", 63190, 65536, 54061)
    return head + b"\0" * (128 - len(head)) + struct.pack(">I", len(tags)) + table + body


def make_pe(rng):
    source = "".join("__declspec(dllexport) int f%d(int a, int *b) { %s return a; }\n" % (i, "".join("b[%d] = a %s %d;" % (k, rng.choice("+-^*&|"), rng.randrange(9999)) for k in range(rng.randrange(2, 12)))) for i in range(25))
    source += "__declspec(dllexport) int %s(int a) { return a * 3; }\nint entry(void) { return f3(4, 0); }\n" % KEPT
    return made("clang --target=x86_64-pc-windows-msvc -O1 -xc -c -o a.obj source; lld-link /nologo /dll /noentry /brepro /out:a.dll a.obj", "a.dll", source)


def make_netcdf(rng):
    source = "netcdf made {\ndimensions:\n t = UNLIMITED;\n x = 6;\nvariables:\n"
    source += "".join(" %s v%d(t, x);\n v%d:note = \"%s\";\n" % (rng.choice(("int", "float", "double", "short")), i, i, KEPT if i == 9 else phrase(rng, 5)) for i in range(16))
    source += " :title = \"%s\";\ndata:\n" % phrase(rng, 9)
    source += "".join(" v%d = %s;\n" % (i, ", ".join(str(rng.randrange(30000)) for _ in range(24))) for i in range(16))
    return made("ncgen -k classic -o a.nc source", "a.nc", source + "}\n")


def make_matroska(rng):
    def size(n):
        return struct.pack(">Q", n | 1 << 56)[-8:] if n >= 16383 else struct.pack(">H", n | 0x4000) if n >= 127 else bytes([n | 128])

    def element(kind, body):
        return bytes.fromhex(kind) + size(len(body)) + body

    head = element("1A45DFA3", element("4286", b"\1") + element("42F7", b"\1") + element("42F2", b"\4") + element("42F3", b"\x08") + element("4282", b"matroska") + element("4287", b"\4") + element("4285", b"\2"))
    info = element("1549A966", element("2AD7B1", b"\x0f\x42\x40") + element("4D80", phrase(rng, 3).encode()) + element("5741", phrase(rng, 4).encode()) + element("7BA9", KEPT.encode()))
    track = element("1654AE6B", element("AE", element("D7", b"\1") + element("73C5", b"\1") + element("83", b"\2") + element("86", b"A_PCM/INT/LIT") + element("E1", element("B5", struct.pack(">d", 8000.0)) + element("9F", b"\1") + element("6264", b"\x10"))))
    clusters = b""
    for i in range(12):
        blocks = b"".join(element("A3", b"\x81" + struct.pack(">hB", k, 128) + rng.randbytes(rng.randrange(20, 200))) for k in range(6))
        clusters += element("1F43B675", element("E7", struct.pack(">H", i * 40)) + blocks)
    tags = element("1254C367", b"".join(element("7373", element("63C0", b"") + element("67C8", element("45A3", w.upper().encode()) + element("4487", phrase(rng, 6).encode()))) for w in WORDS))
    return head + element("18538067", info + track + tags + clusters)


def make_cab(rng):
    source = "".join("printf '%%s' '%s' >%s%d.txt\n" % (phrase(rng, rng.randrange(5, 90)), KEPT if i == 7 else rng.choice(WORDS), i) for i in range(16))
    return made("sh ./source; gcab -c -n a.cab *.txt", "a.cab", source)


def make_fat(rng):
    source = "mkfs.fat -C -F 12 -n MADE -i 12345678 a.img 160 >/dev/null\n"
    source += "".join("printf '%%s' '%s' >b; mcopy -i a.img b ::%s%d\n" % (phrase(rng, rng.randrange(50, 400)), KEPT if i == 7 else rng.choice(WORDS), i) for i in range(16))
    return made("sh ./source", "a.img", source)


def make_sshkey(rng):
    from base64 import b64encode

    def text(data):
        return struct.pack(">I", len(data)) + data

    rng = random.Random(5)
    secret, public = rng.randbytes(32), rng.randbytes(32)
    pub = text(b"ssh-ed25519") + text(public)
    private = struct.pack(">II", 77, 77) + text(b"ssh-ed25519") + text(public) + text(secret + public) + text((KEPT + " " + phrase(rng, 9)).encode())
    private += bytes(range(1, 1 + -len(private) % 8))
    data = b"openssh-key-v1\0" + text(b"none") + text(b"none") + text(b"") + struct.pack(">I", 1) + text(pub) + text(private)
    lines = b64encode(data)
    return b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + b"".join(lines[i:i + 70] + b"\n" for i in range(0, len(lines), 70)) + b"-----END OPENSSH PRIVATE KEY-----\n"


def make_dicom(rng):
    def element(group, number, kind, data):
        data += b"\0" * (len(data) % 2)
        head = struct.pack("<HH2s", group, number, kind)
        return head + (struct.pack("<HI", 0, len(data)) if kind in (b"OB", b"OW", b"SQ", b"UN", b"UT") else struct.pack("<H", len(data))) + data

    meta = element(2, 1, b"OB", b"\0\1") + element(2, 2, b"UI", b"1.2.840.10008.5.1.4.1.1.7") + element(2, 3, b"UI", b"1.2.3.4") + element(2, 0x10, b"UI", b"1.2.840.10008.1.2.1") + element(2, 0x12, b"UI", b"1.2.3")
    body = element(8, 0x16, b"UI", b"1.2.840.10008.5.1.4.1.1.7") + element(8, 0x18, b"UI", b"1.2.3.4") + element(8, 0x60, b"CS", b"OT") + element(8, 0x80, b"LO", phrase(rng, 5).encode())
    items = b"".join(struct.pack("<HHI", 0xFFFE, 0xE000, len(x)) + x for x in (element(8, 0x100, b"SH", phrase(rng, 2).encode()) + element(8, 0x104, b"LO", phrase(rng, 7).encode()) for _ in range(12)))
    body += element(8, 0x1111, b"SQ", items) + element(0x10, 0x10, b"PN", KEPT.encode()) + element(0x10, 0x20, b"LO", b"77") + element(0x10, 0x4000, b"LT", phrase(rng, 90).encode())
    body += element(0x28, 2, b"US", b"\1\0") + element(0x28, 4, b"CS", b"MONOCHROME2") + element(0x28, 0x10, b"US", b"\x14\0") + element(0x28, 0x11, b"US", b"\x1e\0") + element(0x7FE0, 0x10, b"OW", rng.randbytes(1200))
    return b"\0" * 128 + b"DICM" + element(2, 0, b"UL", struct.pack("<I", len(meta))) + meta + body


def make_hdf5(rng):
    import h5py

    out = io.BytesIO()
    with h5py.File(out, "w") as f:
        for i in range(12):
            group = f.create_group("%s%d" % (rng.choice(WORDS), i))
            data = group.create_dataset(KEPT if i == 7 else rng.choice(WORDS), data=[rng.randrange(9999) for _ in range(rng.randrange(9, 99))])
            data.attrs["note"] = phrase(rng, 5)
    return out.getvalue()


def make_iso(rng):
    source = "mkdir d\n" + "".join("printf '%%s' '%s' >d/%s%d.txt\n" % (phrase(rng, rng.randrange(50, 900)), KEPT if i == 7 else rng.choice(WORDS), i) for i in range(16))
    return made("sh ./source; genisoimage -quiet -R -o a.iso d", "a.iso", source)


def make_7z(rng):
    source = "".join("printf '%%s' '%s' >%s%d.txt\n" % (phrase(rng, rng.randrange(5, 90)), KEPT if i == 7 else rng.choice(WORDS), i) for i in range(16))
    return made("sh ./source; 7z a -mhc=off -m0=copy a.7z *.txt >/dev/null", "a.7z", source)


def make_bzip2(rng):
    import bz2

    return bz2.compress((phrase(rng, 900) + KEPT + phrase(rng, 900)).encode())


# Objects of a few functions each, in the order of their numbers, for an archive of them.
def objects(rng, command):
    source = "".join("cat >s%d.c <<'.'\n%s.\n" % (i, "".join("int %s%d_%d(int a) { return a * %d + %d; }\n" % (KEPT if (i, k) == (5, 2) else rng.choice(WORDS), i, k, rng.randrange(99), k) for k in range(rng.randrange(3, 9)))) for i in range(9))
    return "sh ./source; gcc -c -O1 s?.c; " + command, source


def make_archive(rng):
    command, source = objects(rng, "ar rcsD a.a s?.o")
    return made(command, "a.a", source)


def make_objects(rng):
    command, source = objects(rng, "tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 -cf a.tar s?.o")
    return made(command, "a.tar", source)


CALM = '! grep -qiE "error|warn|corrupt|invalid|truncat|unexpected|bad|cannot|fail" out err'
QUIET = "[ ! -s err ]"
SCHEMA = 'syntax = "proto3"; message Sub { int64 a = 1; string b = 2; } message Row { string name = 1; int64 size = 2; string text = 3; Sub sub = 9; } message All { repeated Row rows = 5; }'
KINDS = {
    "protobuf": (make_protobuf, "a.bin", ["echo '%s' >s.proto" % SCHEMA, "protoc --decode=All s.proto <\"$1\" >out 2>err", QUIET, "grep -q 'b: \"" + KEPT + "\"' out"]),
    "webp": (make_webp, "a.webp", ["webpinfo -quiet \"$1\" >out 2>err", CALM, QUIET, "webpmux -get xmp \"$1\" -o x >out 2>err", SAID + " x"]),
    "jp2": (make_jp2, "a.jp2", ["opj_decompress -i \"$1\" -o x.ppm >out 2>err", CALM, "[ -s x.ppm ]"]),
    "woff": (make_woff, "a.woff", [load("import io, logging\nfrom fontTools.ttLib import TTFont\nlogging.basicConfig(level=logging.WARNING)\nf = TTFont(io.BytesIO(d), checkChecksums=2, lazy=False)\nprint(f[\"name\"].getDebugName(1), f.keys())") + " >out 2>err", QUIET, SAID + " out"]),
    "icc": (make_icc, "a.icc", ["transicc -v3 -i \"$1\" -o \"*sRGB\" </dev/null >out 2>err; :", CALM, SAID + " out"]),
    "pe": (make_pe, "a.dll", ["llvm-objdump-14 -p -d \"$1\" >out 2>err", QUIET, "grep -q '" + KEPT + "' out"]),
    "netcdf": (make_netcdf, "a.nc", ["ncdump \"$1\" >out 2>err", QUIET, "grep -q 'note = \"" + KEPT + "\"' out"]),
    "matroska": (make_matroska, "a.mkv", ["mkvinfo --ui-language en_US \"$1\" >out 2>err", CALM, QUIET, "! grep -q Unknown out", SAID + " out"]),
    "cab": (make_cab, "a.cab", ["cabextract -t \"$1\" >out 2>err", QUIET, SAID + ".*OK out"]),
    "fat": (make_fat, "a.img", ["mdir -i \"$1\" :: >out 2>err", QUIET, SAID + " out"]),
    "sshkey": (make_sshkey, "key", ["chmod 600 \"$1\"", "ssh-keygen -yf \"$1\" >out 2>err", SAID + " out"]),
    "dicom": (make_dicom, "a.dcm", ["dcmdump \"$1\" >out 2>err", QUIET, "grep -q 'PN .*" + KEPT + "' out"]),
    "hdf5": (make_hdf5, "a.h5", ["h5dump \"$1\" >out 2>err", QUIET, "grep -q 'DATASET \"" + KEPT + "' out"]),
    "iso": (make_iso, "a.iso", ["isoinfo -R -l -i \"$1\" >out 2>err", QUIET, SAID + " out"]),
    "7z": (make_7z, "a.7z", ["7z t \"$1\" >out 2>err", QUIET, "7z l \"$1\" >out 2>err", SAID + " out"]),
    "archive": (make_archive, "a.a", ["nm -s \"$1\" >out 2>err", QUIET, "grep -q '^" + KEPT + "5_2 in ' out", "objdump -d \"$1\" >out 2>err", QUIET, "grep -q '<" + KEPT + "5_2>:' out"]),
    "objects": (make_objects, "a.tar", ["tar -xf \"$1\" 2>err", QUIET, "objdump -d *.o >out 2>err", QUIET, "grep -q '<" + KEPT + "5_2>:' out"]),
    "bzip2": (make_bzip2, "a.bz2", ["bzip2 -dc \"$1\" >out 2>err", QUIET, SAID + " out"]),
}
