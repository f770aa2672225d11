"""Further kinds of bench/binary: formats without a schema when they were written, and malformed files. `ASIDE` were not looked
at while records were improved with the others. Each function returns the bytes of a file."""

import os
import plistlib
import struct
import subprocess

WORDS = ("alpha", "river", "stone", "cloud", "ember", "grain", "lever", "north", "orbit", "pearl")
KEPT = "Qz7kept"


def run(call, data=None, **more):
    return subprocess.run(call, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, **more).stdout


def phrase(rng, n):
    return " ".join(rng.choice(WORDS) for _ in range(n))


def made(call, name, source=None):
    """What CALL writes into NAME in a directory of its own, with the file `source` if given."""
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        if source is not None:
            with open(os.path.join(place, "source"), "w", encoding="ascii") as f:
                f.write(source)
        run(["sh", "-c", call], cwd=place)
        with open(os.path.join(place, name), "rb") as f:
            return f.read()


def make_terminfo(rng):
    source = run(["infocmp", "-1", "xterm-256color"]).decode().split("\n", 2)[2]
    source = "%s|%s,\n%s\tkf20=%s,\n" % (KEPT, phrase(rng, 3), "".join(x + "\n" for x in source.split("\n") if "kf20=" not in x and x), "\\E" + KEPT)
    return made("tic -o d source", "d/Q/" + KEPT, source)


def make_catalogue(rng):
    texts = ["msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"]
    for i in range(60):
        texts.append('msgid "%s %d"\nmsgstr "%s"\n' % (phrase(rng, 4), i, KEPT if i == 33 else phrase(rng, 6)))
    return made("msgfmt -o a.mo source", "a.mo", "\n".join(texts))


def make_bplist(rng):
    rows = [{"name": phrase(rng, 2), "size": rng.randrange(10**6), "tags": [phrase(rng, 1) for _ in range(4)]} for _ in range(40)]
    rows[27]["note"] = KEPT
    return plistlib.dumps({"version": 3, "rows": rows, "end": phrase(rng, 5)}, fmt=plistlib.FMT_BINARY)


def functions(rng):
    lines = ["static int s[] = {%s};" % ",".join(str(rng.randrange(999)) for _ in range(60))]
    for i in range(20):
        lines.append('const char *f%d(int a) { return a > %d ? "%s" : (char *)s; }' % (i, i, phrase(rng, 4)))
    return "\n".join(lines + ["int %s(int a) { return f3(a) != f4(a); }" % KEPT])


def make_coff(rng):
    return made("clang --target=x86_64-pc-windows-gnu -O1 -xc -c -o a.obj source", "a.obj", functions(rng))


def make_ogg(rng):
    raw = b"".join(struct.pack("<h", (i * i // 9 + rng.randrange(500)) % 9000) for i in range(24000))
    call = "opusenc --quiet --bitrate 16 --raw --raw-rate 8000 --raw-chan 1 --raw-bits 16 --serial 7 --max-delay 100"
    return run(call.split() + ["--comment", "NOTE=" + phrase(rng, 20), "--title", KEPT, "-", "-"], raw)


def make_keyring(rng):
    def old(tag, body):
        return bytes([0x80 | tag << 2 | 1]) + struct.pack(">H", len(body)) + body

    def new(tag, body):
        return bytes([0xC0 | tag, len(body)]) + body

    def number(bits):
        return struct.pack(">H", bits) + bytes([1 << (bits - 1) % 8]) + bytes(rng.randrange(256) for _ in range((bits + 7) // 8 - 1))

    out = b""
    for i in range(12):
        key = b"\x04" + struct.pack(">I", 1500000000 + i) + b"\x01" + number(1024) + number(17)
        out += old(6, key)
        for j in range(3):
            out += new(13, (KEPT if (i, j) == (7, 1) else phrase(rng, 3)).encode())
            hashed = b"\x05\x02" + struct.pack(">I", 1600000000 + i) + b"\x02\x1b\x03" + b"\x03\x15\x02\x08"
            other = b"\x09\x10" + bytes(rng.randrange(256) for _ in range(8))
            sig = b"\x04\x13\x01\x08" + struct.pack(">H", len(hashed)) + hashed + struct.pack(">H", len(other)) + other
            out += old(2, sig + b"\xab\xcd" + number(1024))
        out += old(14, key)
    return out


def make_torrent(rng):
    def code(x):
        if isinstance(x, int):
            return b"i%de" % x
        if isinstance(x, bytes):
            return b"%d:%s" % (len(x), x)
        if isinstance(x, list):
            return b"l" + b"".join(map(code, x)) + b"e"
        return b"d" + b"".join(code(k) + code(x[k]) for k in sorted(x)) + b"e"

    files = [{b"length": rng.randrange(10**6), b"path": [phrase(rng, 1).encode(), (phrase(rng, 2) + ".%d" % i).encode()]} for i in range(40)]
    files[17][b"path"][1] = KEPT.encode()
    info = {b"files": files, b"name": b"made up", b"piece length": 65536, b"pieces": bytes(rng.randrange(256) for _ in range(1200))}
    return code({b"announce": b"http://example.org/", b"creation date": 1500000000, b"info": info})


def name_of(words):
    return b"".join(bytes([len(w)]) + w.encode() for w in words) + b"\0"


def make_dns(rng):
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    for i in range(40):
        ask = name_of([KEPT if i == 23 else rng.choice(WORDS), rng.choice(WORDS), "test"]) + struct.pack(">HH", 1, 1)
        answers = b""
        for _ in range(rng.randrange(1, 6)):
            answers += b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 300, 4) + bytes(rng.randrange(256) for _ in range(4))
        message = struct.pack(">HHHHHH", rng.randrange(65536), 0x8180, 1, len(answers) // 16, 0, 0) + ask + answers
        udp = struct.pack(">HHHH", 53, 4000 + i, len(message) + 8, 0) + message
        head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, len(udp) + 20, i, 0, 64, 17, 0, b"\x0a\0\0\1", b"\x0a\0\0\2")
        total = sum(struct.unpack(">10H", head))
        total = 0xFFFF ^ ((total & 0xFFFF) + (total >> 16))
        packet = b"\2\0\0\0\0\1\2\0\0\0\0\2\x08\0" + head[:10] + struct.pack(">H", total) + head[12:] + udp
        out += struct.pack("<IIII", 1500000000 + i, rng.randrange(10**6), len(packet), len(packet)) + packet
    return out


def make_bitcode(rng):
    return made("clang -O1 -xc -c -emit-llvm -o a.bc source", "a.bc", functions(rng))


def make_pack(rng):
    call = "git init -q r; cd r; i=0; while read -r line; do i=$((i + 1)); printf '%s\\n' \"$line\" >f$i; done <../source; "
    call += "git add .; GIT_AUTHOR_DATE='1500000000 +0000' GIT_COMMITTER_DATE='1500000000 +0000' git -c user.name=a -c user.email=a commit -qm made; "
    call += "git repack -qad; mv .git/objects/pack/*.pack ../a.pack"
    return made(call, "a.pack", "".join("%s\n" % (KEPT if i == 23 else phrase(rng, 30)) for i in range(40)))


def make_wasmbad(rng):
    lines = ["(module", '(import "env" "log" (func $log (param i32)))', "(memory 1)"]
    for i in range(40):
        lines.append("(func $f%d (param i32 i32) (result i32)" % i)
        for _ in range(rng.randrange(2, 9)):
            lines.append("(drop (i32.mul (local.get 0) (i32.const %d)))" % rng.randrange(10**5))
        lines.append("(drop (i32.const 123456789))" if i == 23 else "")
        lines.append("(call $log (i32.const %d)) (i32.add (local.get 0) (local.get 1)))" % i)
        lines.append('(export "%s_%d" (func $f%d))' % (rng.choice(WORDS), i, i))
    lines.append('(data (i32.const 64) "%s"))' % phrase(rng, 40))
    data = made("wat2wasm source -o a.wasm", "a.wasm", "\n".join(lines))
    return data.replace(b"\x41\x95\x9a\xef\x3a", b"\x27\x95\x9a\xef\x3a")


def make_gifbad(rng):
    import io

    from PIL import Image

    frames = []
    for _ in range(8):
        image = Image.new("P", (40, 30))
        image.putdata([(x * x // 7 + rng.randrange(9)) & 255 for x in range(1200)])
        frames.append(image)
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], comment=phrase(rng, 9).encode())
    data = bytearray(out.getvalue())
    at = [i for i in range(len(data) - 10) if data[i:i + 2] == b"\0\x2c" or data[i:i + 3] == b"\0\x21\xf9"][4]
    data[at + 1] = 0x58  # no block begins so
    return bytes(data)


# ---- aside ----


def make_macho(rng):
    return made("clang --target=x86_64-apple-darwin -O1 -xc -c -o a.o source", "a.o", functions(rng))


def make_wtmp(rng):
    out = b""
    for i in range(40):
        user = KEPT if i == 23 else rng.choice(WORDS)
        out += struct.pack("<hhi32s4s32s256shhiii16s20x", 7, 0, 1000 + i, b"pts/%d" % i, b"%d" % i, user.encode(), rng.choice(WORDS).encode(), 0, 0, 0, 1500000000 + 60 * i, 0, b"")
    return out


def make_mp3(rng):
    def text(kind, words):
        body = b"\0" + words.encode()
        return kind + struct.pack(">I", len(body)) + b"\0\0" + body

    tags = text(b"TPE1", phrase(rng, 3)) + b"".join(text(b"TXXX", "%d\0%s" % (i, phrase(rng, 9))) for i in range(20))
    tags += text(b"TIT2", KEPT) + text(b"TALB", phrase(rng, 3)) + b"\0" * 100
    size = bytes(len(tags) >> shift & 127 for shift in (21, 14, 7, 0))
    frames = b"".join(b"\xff\xfb\x10\xc4" + bytes(rng.randrange(200) if rng.randrange(3) else 0 for _ in range(100)) for _ in range(40))
    return b"ID3\3\0\0" + size + tags + frames


def make_rpm(rng):
    source = "Name: made\nVersion: 1\nRelease: 1\nSummary: %s\nLicense: %s\nBuildArch: noarch\n%%description\n%s\n" % (KEPT, phrase(rng, 2), phrase(rng, 20))
    source += "%install\n" + "".join("mkdir -p %%{buildroot}/%s; echo %s >%%{buildroot}/%s/f%d\n" % ((w := rng.choice(WORDS)), phrase(rng, 9), w, i) for i in range(12))
    source += "%%files\n%s\n%%changelog\n* Mon Jan 01 2018 a <a>\n- %s\n" % ("\n".join("/" + w for w in WORDS if "}/%s/" % w in source), phrase(rng, 9))
    return made("rpmbuild -bb --define \"_topdir $PWD/t\" --define '_build_id_links none' source; mv t/RPMS/noarch/*.rpm a.rpm", "a.rpm", source)


def make_tar(rng):
    import io
    import tarfile

    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for i in range(20):
            body = phrase(rng, rng.randrange(20, 90)).encode()
            info = tarfile.TarInfo("%s/%s%d" % (rng.choice(WORDS), KEPT if i == 13 else rng.choice(WORDS), i))
            info.size = len(body)
            tar.addfile(info, io.BytesIO(body))
    return out.getvalue()


def make_elfbad(rng):
    data = bytearray(made("gcc -xc -c -O1 -o a.o source", "a.o", functions(rng)))
    at, = struct.unpack_from("<Q", data, 40)
    sections = [(at + 64 * i, struct.unpack_from("<IIQQQQ", data, at + 64 * i)) for i in range(struct.unpack_from("<H", data, 60)[0])]
    at, _ = next(x for x in sections if x[1][1] == 2)
    struct.pack_into("<Q", data, at + 56, 23)  # the size of a symbol
    return bytes(data)


def load(body):
    return "/usr/bin/python3 -c '\nimport sys\nd = open(sys.argv[1], \"rb\").read()\n%s' \"$1\"" % body


SAID = "grep -q " + KEPT
CALM = '! grep -qiE "error|warn|corrupt|invalid|truncat|unexpected|bad|cannot" out err'
BENCODE = """def get(i):
    c = d[i:i + 1]
    if c == b"i":
        e = d.index(b"e", i)
        return int(d[i + 1:e]), e + 1
    if c in (b"l", b"d"):
        out, i = [], i + 1
        while d[i:i + 1] != b"e":
            x, i = get(i)
            out.append(x)
        return (out if c == b"l" else dict(zip(out[::2], out[1::2]))), i + 1
    e = d.index(b":", i)
    n = int(d[i:e])
    assert e + 1 + n <= len(d)
    return d[e + 1:e + 1 + n], e + 1 + n
x, e = get(0)
assert e == len(d)
sys.exit(not any(b"%s" in f[b"path"] for f in x[b"info"][b"files"]))""" % KEPT

KINDS = {
    "terminfo": (make_terminfo, KEPT, ["mkdir -p d/Q", "cp \"$1\" d/Q/", "TERMINFO=$PWD/d infocmp -1 -x " + KEPT + " >out 2>err", "[ ! -s err ]", "grep -q kf20=.*" + KEPT + " out"]),
    "catalogue": (make_catalogue, "a.mo", ["msgunfmt \"$1\" >out 2>err", "[ ! -s err ]", "grep -q '^msgstr.*" + KEPT + "' out"]),
    "bplist": (make_bplist, "a.bplist", ["/usr/bin/python3 -c 'import plistlib, sys; x = plistlib.load(open(sys.argv[1], \"rb\")); sys.exit(not any(r.get(\"note\") == \"" + KEPT + "\" for r in x[\"rows\"]))' \"$1\" 2>err"]),
    "coff": (make_coff, "a.obj", ["objdump -dr \"$1\" >out 2>err", "[ ! -s err ]", "grep -q '<" + KEPT + ">:' out"]),
    "ogg": (make_ogg, "a.opus", ["opusinfo \"$1\" >out 2>err", "[ ! -s err ]", CALM, SAID + " out"]),
    "keyring": (make_keyring, "a.gpg", ["gpg --homedir . --list-packets \"$1\" >out 2>err", CALM, SAID + " out"]),
    "torrent": (make_torrent, "a.torrent", [load(BENCODE) + " 2>err"]),
    "dns": (make_dns, "a.pcap", ["tcpdump -nvr \"$1\" >out 2>err", "! grep -qiE 'bad|trunc|malformed|invalid|\\[\\|' out err", SAID + ".*test out"]),
    "bitcode": (make_bitcode, "a.bc", ["llvm-bcanalyzer-14 -dump \"$1\" >out 2>err", "[ ! -s err ]", SAID + " out"]),
    "pack": (make_pack, "a.pack", ["git init -q r", "git -C r index-pack -q --strict --stdin <\"$1\" >out 2>err || git -C r unpack-objects -q <\"$1\" >out 2>err", "git -C r cat-file --batch-all-objects --batch >out 2>err", "[ ! -s err ]", SAID + " out"]),
    "wasmbad": (make_wasmbad, "a.wasm", ["! wasm-objdump -d \"$1\" >out 2>err", "grep -qi 'missing opcode callback' err"]),
    "gifbad": (make_gifbad, "a.gif", ["gifsicle -I \"$1\" >out 2>err", "grep -q 'unknown block type 88' err", "grep -q '3 image\\|4 image\\|2 image' out"]),
}
ASIDE = {
    "macho": (make_macho, "a.o", ["llvm-objdump-14 -dr \"$1\" >out 2>err", "[ ! -s err ]", "grep -q '<_" + KEPT + ">:' out"]),
    "wtmp": (make_wtmp, "wtmp", ["last -f \"$1\" >out 2>err", "[ ! -s err ]", "grep -q '^" + KEPT + " *pts' out"]),
    "mp3": (make_mp3, "a.mp3", ["id3v2 -l \"$1\" >out 2>err", "[ ! -s err ]", "grep -q 'TIT2.*" + KEPT + "' out"]),
    "rpm": (make_rpm, "a.rpm", ["rpm -qp --nosignature --nodigest --qf '%{SUMMARY}' \"$1\" >out 2>err", CALM, SAID + " out"]),
    "ustar": (make_tar, "a.tar", ["tar tf \"$1\" >out 2>err", "[ ! -s err ]", SAID + " out"]),
    "elfbad": (make_elfbad, "a.o", ["readelf -sW \"$1\" >out 2>err", "grep -q 'invalid sh_entsize of 17' err", SAID + " out"]),
}
