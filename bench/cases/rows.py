"""Kinds of bench/made that are archives: rows of one width say where members are and how long."""

import struct
import zlib

from counted import Bad, need, WORDS

__all__ = ["KINDS", "Bad"]
KEPT = b"Qz7!kept"


def members_of(rng, n):
    """Texts and noise; the needle in the middle of one."""
    out = []
    for i in range(n):
        size = rng.choice((0, 40, 200, 700, 1500)) + rng.randrange(60)
        text = " ".join(rng.choice(WORDS) for _ in range(size // 6)).encode()
        out.append(text if i % 3 else bytes(rng.randrange(256) for _ in range(size)))
    out[n * 2 // 3] = b"alpha stone " * 9 + KEPT + b" river ember" * 11
    return out


def names_of(rng, n):
    return [b"%s/%s%02d.dat" % (rng.choice(WORDS).encode(), rng.choice(WORDS).encode(), i) for i in range(n)]


def kept(members):
    return any(KEPT in m for m in members)


def pad(data, unit):
    return data + bytes(-len(data) % unit)


def in_order(members, limit):
    """Members (place, length) that lie one behind the other, in some order, and end at LIMIT."""
    at = min(p for p, _ in members)
    for place, length in sorted(members):
        need(place == at)
        at = place + length
    need(at == limit)


# rows behind the members, as WAD has them


def make_behind(rng):
    body, rows = b"", b""
    for i, m in enumerate(members_of(rng, 40)):
        rows += struct.pack("<II8s", 12 + len(body), len(m), b"LUMP%03d" % i)
        body += m
    return b"RWAD" + struct.pack("<II", 40, 12 + len(body)) + body + rows


def check_behind(data):
    need(data[:4] == b"RWAD")
    n, at = struct.unpack_from("<II", data, 4)
    need(n > 0 and at + 16 * n == len(data))
    rows = [struct.unpack_from("<II8s", data, at + 16 * i) for i in range(n)]
    in_order([r[:2] for r in rows], at)
    return kept(data[p : p + k] for p, k, _ in rows)


# rows that name strings in a pool between them and the members, each with a CRC-32


def make_named(rng):
    members, names = members_of(rng, 36), names_of(rng, 36)
    pool, rows, body = b"", b"", b""
    begin = 24 + 20 * len(members)
    base = begin + sum(len(x) + 1 for x in names)
    for i, (m, x) in enumerate(zip(members, names)):
        rows += struct.pack(">5I", begin + len(pool), base + len(body), len(m), zlib.crc32(m), i % 4)
        pool, body = pool + x + b"\0", body + m
    head = b"NPAK" + struct.pack(">5I", 3, len(members), begin, len(pool), base)
    return head + rows + pool + body


def check_named(data):
    need(data[:4] == b"NPAK")
    version, n, begin, size, base = struct.unpack_from(">5I", data, 4)
    need(version == 3 and n and begin == 24 + 20 * n and base == begin + size and data[base - 1] == 0)
    rows = [struct.unpack_from(">5I", data, 24 + 20 * i) for i in range(n)]
    in_order([r[1:3] for r in rows], len(data))
    for name, place, length, crc, kind in rows:
        need(begin <= name < base and (name == begin or data[name - 1] == 0))
        need(kind < 4 and zlib.crc32(data[place : place + length]) == crc)
    return kept(data[r[1] : r[1] + r[2]] for r in rows)


# rows of firmware: padded to 16, places count from where the members begin, a CRC-32 behind all


def make_firmware(rng):
    rows, body = b"", b""
    members = members_of(rng, 30)
    for i, m in enumerate(members):
        rows += struct.pack("<HHII", 0x40 + i, 0, len(m), len(body))
        body = pad(body + m, 16)
    head = b"\x7fFWIMG\x01\x00" + struct.pack("<IHH", len(body), len(members), 12) + b"board-rev-c\0\0\0\0\0"
    data = head + rows + body
    return data + struct.pack("<I", zlib.crc32(data))


def check_firmware(data):
    need(data[:8] == b"\x7fFWIMG\x01\x00" and zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0])
    size, n, width = struct.unpack_from("<IHH", data, 8)
    base = 32 + 12 * n
    need(width == 12 and n and base + size + 4 == len(data))
    rows = [struct.unpack_from("<HHII", data, 32 + 12 * i) for i in range(n)]
    at = 0
    for _, zero, length, place in rows:
        need(zero == 0 and place == at)
        at += length + -length % 16
        need(not any(data[base + place + length : base + at]))
    need(at == size)
    return kept(data[base + r[3] : base + r[3] + r[2]] for r in rows)


# rows behind a large head, members packed by zlib, their sizes before and after


def make_packed(rng):
    rows, body = b"", b""
    members = members_of(rng, 32)
    head = b"ZARC" + struct.pack("<II", 2, len(members)) + bytes(rng.randrange(256) for _ in range(1536))
    base = len(head) + 24 * len(members)
    for m in members:
        z = zlib.compress(m, 9)
        rows += struct.pack("<QIIQ", base + len(body), len(z), len(m), 0)
        body += z
    return head + rows + body


def check_packed(data):
    need(data[:4] == b"ZARC")
    version, n = struct.unpack_from("<II", data, 4)
    need(version == 2 and n)
    rows = [struct.unpack_from("<QIIQ", data, 1548 + 24 * i) for i in range(n)]
    in_order([r[:2] for r in rows], len(data))
    need(rows[0][0] == 1548 + 24 * n)
    texts = [zlib.decompress(data[r[0] : r[0] + r[1]]) for r in rows]
    need(all(len(t) == r[2] and r[3] == 0 for t, r in zip(texts, rows)))
    return kept(texts)


# places are numbers of blocks of 512 bytes, the last of which is filled up


def make_blocks(rng):
    members = members_of(rng, 28)
    at = 1 + (32 * len(members) + 511) // 512
    rows, body = b"", b""
    for x, m in zip(names_of(rng, len(members)), members):
        rows += struct.pack("<24sII", x, at + len(body) // 512, len(m))
        body = pad(body + m, 512)
    head = b"BLKFS1\0\0" + struct.pack("<III", len(members), at, at + len(body) // 512)
    return pad(pad(head, 512) + rows, 512) + body


def check_blocks(data):
    need(data[:8] == b"BLKFS1\0\0" and len(data) % 512 == 0)
    n, first, blocks = struct.unpack_from("<III", data, 8)
    need(n and first == 1 + (32 * n + 511) // 512 and blocks * 512 == len(data))
    at, out = first, []
    for i in range(n):
        _, place, length = struct.unpack_from("<24sII", data, 512 + 32 * i)
        need(place == at)
        at += (length + 511) // 512
        out.append(data[place * 512 : place * 512 + length])
    need(at == blocks)
    return kept(out)


# rows say only where members begin: each ends where the next does, the last at the end


def make_ends(rng):
    members = members_of(rng, 40)
    at, rows, body = 12 + 8 * len(members), b"", b""
    for i, m in enumerate(members):
        rows += struct.pack("<II", 0x1000 + 7 * i, at + len(body))
        body += m
    return b"OFFS" + struct.pack("<II", len(members), at + len(body)) + rows + body


def check_ends(data):
    need(data[:4] == b"OFFS")
    n, size = struct.unpack_from("<II", data, 4)
    need(n and size == len(data))
    places = [struct.unpack_from("<II", data, 12 + 8 * i)[1] for i in range(n)] + [size]
    need(places[0] == 12 + 8 * n and places == sorted(places))
    return kept(data[a:b] for a, b in zip(places, places[1:]))


# rows sorted by name, members in the order in which they were added


def make_sorted(rng):
    members, names = members_of(rng, 36), names_of(rng, 36)
    at, body, rows = 16 + 28 * len(members), b"", []
    for m, x in zip(members, names):
        rows.append(struct.pack(">20sII", x, at + len(body), len(m)))
        body += m
    return b"SORT" + struct.pack(">III", 1, len(members), len(body)) + b"".join(sorted(rows)) + body


def check_sorted(data):
    need(data[:4] == b"SORT")
    version, n, size = struct.unpack_from(">III", data, 4)
    need(version == 1 and n and 16 + 28 * n + size == len(data))
    rows = [struct.unpack_from(">20sII", data, 16 + 28 * i) for i in range(n)]
    need([r[0] for r in rows] == sorted(r[0] for r in rows))
    in_order([r[1:] for r in rows], len(data))
    return kept(data[p : p + k] for _, p, k in rows)


KINDS = {
    "rows-behind": (make_behind, check_behind),
    "rows-named": (make_named, check_named),
    "rows-firmware": (make_firmware, check_firmware),
    "rows-packed": (make_packed, check_packed),
    "rows-blocks": (make_blocks, check_blocks),
    "rows-ends": (make_ends, check_ends),
    "rows-sorted": (make_sorted, check_sorted),
}
