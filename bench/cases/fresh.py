"""Kinds of bench/made that nobody worked on: containers as real ones are, in twenty formats of their own.

Each has a writer of members and names, and a strict reader. The writer with the needle as the only member says
how short a file can be (smallest). No finder was written with a look at six of them, which are there to be measured
alone: hash, linked, mbox, nested, pages, words."""

import base64
import re
import struct
import zlib

from counted import Bad, need
from reading import Reader, crc16, crc32c, fletcher16, fnv, md5, sha256, tiles, varint
from rows import KEPT, kept, members_of, names_of, pad

__all__ = ["KINDS", "Bad", "smallest"]


# trailer: members, then an index of varints (distance from the last place, length of the name, name), then where
# the index begins, how many rows it has and its CRC-32C. A member ends where the next begins.


def write_trailer(_, members, names):
    data, index, last = b"FTR1", b"", 0
    for m, x in zip(members, names):
        index += varint(len(data) - last) + varint(len(x)) + x
        last, data = len(data), data + m
    return data + index + struct.pack("<IHI", len(data), len(members), crc32c(index)) + b"1RTF"


def check_trailer(data):
    need(data[:4] == b"FTR1" and data[-4:] == b"1RTF")
    begin, n, crc = struct.unpack_from("<IHI", data, len(data) - 14)
    need(n and 4 <= begin <= len(data) - 14 and crc32c(data[begin:-14]) == crc)
    r, places = Reader(data[:-14], begin), [0]
    for _ in range(n):
        places.append(places[-1] + r.number())
        need(r.take(r.number()))
    r.end()
    need(places[1] == 4 and places[-1] <= begin)
    return kept(data[a:b] for a, b in zip(places[1:], places[2:] + [begin]))


# hash: buckets of a table of names (FNV-1a), each the first row of a chain, as MPQ or .hash of ELF have them; names
# in a pool, members behind all, places from where they begin. Big endian. Every row is in its bucket's chain.


def write_hash(_, members, names):
    buckets = 1 if len(members) < 4 else 16
    heads, rows, pool, body = [0xFFFF] * buckets, b"", b"", b""
    for i, (m, x) in enumerate(zip(members, names)):
        at = fnv(x) % buckets
        rows += struct.pack(">IHHIII", fnv(x), heads[at], 0, len(pool), len(body), len(m))
        heads[at], pool, body = i, pool + x + b"\0", body + m
    head = b"HASHPAK\0" + struct.pack(">IIII", buckets, len(members), len(pool), len(body))
    return head + struct.pack(">%dH" % buckets, *heads) + rows + pool + body


def check_hash(data):
    r = Reader(data)
    need(r.take(8) == b"HASHPAK\0")
    buckets, n, size, whole = r.of(">IIII")
    need(n and buckets and buckets & (buckets - 1) == 0)
    heads = r.of(">%dH" % buckets)
    rows = [r.of(">IHHIII") for _ in range(n)]
    pool, body, seen, name = r.take(size), r.take(whole), set(), 0
    r.end()
    for bucket, i in enumerate(heads):
        while i != 0xFFFF:
            need(i < n and i not in seen and rows[i][0] % buckets == bucket)
            seen.add(i)
            i = rows[i][1]
    for hashed, _, zero, begin, _, _ in rows:
        need(begin == name and zero == 0)
        name = pool.index(b"\0", begin) + 1
        need(fnv(pool[begin : name - 1]) == hashed)
    need(len(seen) == n and name == size and len({row[0] for row in rows}) == n)
    tiles([row[4:] for row in rows], 0, whole)
    return kept(body[row[4] : row[4] + row[5]] for row in rows)


# pages: of 256 bytes, each with the number of the next and how many bytes it holds. The first has a bitmap of the
# pages in use, the first of the free ones, which are a list too, and the first of the directory, whose rows say where
# members begin. Every page is in one list.


def write_pages(rng, members, names):
    free = 6 if len(members) > 1 else 0
    total = 1 + sum((len(m) + 251) // 252 for m in members) + (18 * len(members) + 251) // 252 + free
    spare = sorted(rng.sample(range(1, total), free))
    order = [i for i in range(1, total) if i not in spare]
    pages, rows = [b""] * total, b""

    def chain(data):
        mine = [order.pop(0) for _ in range(0, len(data), 252)]
        for k, page in enumerate(mine):
            part = data[252 * k : 252 * k + 252]
            pages[page] = pad(struct.pack("<HH", (mine + [0])[k + 1], len(part)) + part, 256)
        return mine[0] if mine else 0

    for m, x in zip(members, names):
        rows += struct.pack("<HI12s", chain(m), len(m), x[:12])
    for k, page in enumerate(spare):
        pages[page] = pad(struct.pack("<HH", (spare + [0])[k + 1], 0), 256)
    bits = sum(1 << i for i in range(total) if i not in spare).to_bytes(240, "little")
    head = b"PGFL" + struct.pack("<HHHHI", total, (spare + [0])[0], chain(rows), len(members), len(rows))
    pages[0] = head + bits
    return b"".join(pages)


def check_pages(data):
    need(data[:4] == b"PGFL" and len(data) % 256 == 0)
    total, spare, rows, n, size = struct.unpack_from("<HHHHI", data, 4)
    need(n and total * 256 == len(data) and size == 18 * n)
    used, free = {0}, []

    def chain(page):
        out = b""
        while page:
            need(page < total and page not in used)
            used.add(page)
            following, length = struct.unpack_from("<HH", data, 256 * page)
            begin = 256 * page + 4
            need(0 < length <= 252 and (length == 252 or not following))
            need(not any(data[begin + length : begin + 252]))
            out, page = out + data[begin : begin + length], following
        return out

    directory = Reader(chain(rows))
    need(len(directory.data) == size)
    out = []
    for _ in range(n):
        first, length, _ = directory.of("<HI12s")
        out.append(chain(first))
        need(len(out[-1]) == length)
    while spare:
        need(spare < total and spare not in used and spare not in free)
        free.append(spare)
        (spare,) = struct.unpack_from("<H", data, 256 * spare)
        need(not any(data[256 * free[-1] + 2 : 256 * free[-1] + 256]))
    need(len(used) + len(free) == total)
    need(data[16:256] == sum(1 << i for i in used).to_bytes(240, "little"))
    return kept(out)


# der: a sequence of a version, a sequence of members (name, serial, bytes) and the SHA-256 of the latter; lengths
# as DER wants them, in as few bytes as will do; serials ascend.


def der(tag, content):
    n = len(content)
    size = n.to_bytes((n.bit_length() + 7) // 8, "big")
    return bytes([tag]) + (bytes([n]) if n < 128 else bytes([128 + len(size)]) + size) + content


def der_number(n):
    return der(2, n.to_bytes(n.bit_length() // 8 + 1, "big"))


def read_der(r, tag):
    need(r.take(1)[0] == tag)
    (n,) = r.take(1)
    if n >= 128:
        size = r.take(n - 128)
        n = int.from_bytes(size, "big")
        need(n >= 128 and size[0])
    return Reader(r.take(n))


def read_der_number(r):
    content = read_der(r, 2).data
    need(content and (len(content) == 1 or content[0] or content[1] >= 128))
    return int.from_bytes(content, "big")


def write_der(rng, members, names):
    out, serial = b"", 0
    for m, x in zip(members, names):
        serial += rng.randrange(1, 90)
        out += der(0x30, der(0x0C, x) + der_number(serial) + der(4, m))
    return der(0x30, der_number(1) + der(0x30, out) + der(4, sha256(out)))


def check_der(data):
    r, out, last = Reader(data), [], 0
    whole = read_der(r, 0x30)
    r.end()
    need(read_der_number(whole) == 1)
    members = read_der(whole, 0x30)
    need(read_der(whole, 4).data == sha256(members.data))
    whole.end()
    while members.more():
        one = read_der(members, 0x30)
        need(read_der(one, 0x0C).data)
        serial = read_der_number(one)
        need(serial > last)
        last = serial
        out.append(read_der(one, 4).data)
        one.end()
    return kept(out)


# ebml: a head, and a segment of eight bytes of size with what is where (from the segment's data on), how many
# clusters and bytes, the clusters (CRC-32 of what follows it, time, bytes), and cues: time and place of each cluster.


def ebml(name, content, width=0):
    n, width = len(content), width or next(w for w in range(1, 9) if len(content) < (1 << 7 * w) - 1)
    return bytes.fromhex(name) + (n | 1 << 7 * width).to_bytes(width, "big") + content


def read_ebml(r, name):
    need(r.take(len(name) // 2).hex() == name)
    (first,) = r.take(1)
    need(first)
    width = 9 - first.bit_length()
    return Reader(r.take(int.from_bytes(bytes([first]) + r.take(width - 1), "big") - (1 << 7 * width)))


def write_ebml(rng, members, _):
    def seek(info, cues):
        each = [("1549a966", info), ("1c53bb6b", cues)]
        parts = [ebml("53ab", bytes.fromhex(i)) + ebml("53ac", struct.pack(">I", p)) for i, p in each]
        return ebml("114d9b74", b"".join(ebml("4dbb", p) for p in parts))

    total, time, cues = sum(map(len, members)), 0, b""
    info = ebml("1549a966", ebml("4d80", struct.pack(">H", len(members))) + ebml("4489", struct.pack(">I", total)))
    at, clusters = len(seek(0, 0)), b""
    for m in members:
        time += rng.randrange(1, 900)
        now, place = struct.pack(">I", time), struct.pack(">I", at + len(info + clusters))
        cues += ebml("bb", ebml("b3", now) + ebml("f1", place))
        rest = ebml("e7", now) + ebml("a3", m)
        clusters += ebml("1f43b675", ebml("bf", struct.pack("<I", zlib.crc32(rest))) + rest)
    segment = seek(at, at + len(info + clusters)) + info + clusters + ebml("1c53bb6b", cues)
    return ebml("1a45dfa3", ebml("4282", b"fresh")) + ebml("18538067", segment, 8)


def check_ebml(data):
    r = Reader(data)
    need(read_ebml(read_ebml(r, "1a45dfa3"), "4282").data == b"fresh")
    s = read_ebml(r, "18538067")
    r.end()
    seeks, seen = read_ebml(s, "114d9b74"), {}
    while seeks.more():
        one = read_ebml(seeks, "4dbb")
        name = read_ebml(one, "53ab").data.hex()
        seen[name] = read_ebml(one, "53ac").of(">I")[0]
        one.end()
    need(seen.pop("1549a966") == s.at)
    info, places, out = read_ebml(s, "1549a966"), [], []
    (n,), (total,) = read_ebml(info, "4d80").of(">H"), read_ebml(info, "4489").of(">I")
    info.end()
    for _ in range(n):
        at, one = s.at, read_ebml(s, "1f43b675")
        need(read_ebml(one, "bf").of("<I")[0] == zlib.crc32(one.data[one.at :]))
        places.append((read_ebml(one, "e7").of(">I")[0], at))
        out.append(read_ebml(one, "a3").data)
        one.end()
    need(seen.pop("1c53bb6b") == s.at and not seen and sum(map(len, out)) == total)
    cues = read_ebml(s, "1c53bb6b")
    s.end()
    for place in places:
        one = read_ebml(cues, "bb")
        need((read_ebml(one, "b3").of(">I")[0], read_ebml(one, "f1").of(">I")[0]) == place)
        one.end()
    cues.end()
    return kept(out)


# linked: blocks that say where the next and the last one are, their length with their head, the length of the name;
# they lie in the file in another order. The head knows the first, the last, their number and the size of the file.


def write_linked(rng, members, names):
    blocks = []
    for i, (m, x) in enumerate(zip(members, names)):
        blocks.append((i, struct.pack(">IHH", 16 + len(x + m), len(x), sum(m) & 0xFFFF) + x + m))
    rng.shuffle(blocks)
    places, at, out = {-1: 0, len(blocks): 0}, 20, b""
    for i, block in blocks:
        places[i] = at
        at += 8 + len(block)
    for i, block in blocks:
        out += struct.pack(">II", places[i + 1], places[i - 1]) + block
    return b"LINK" + struct.pack(">IIII", places[0], places[len(blocks) - 1], len(blocks), at) + out


def check_linked(data):
    need(data[:4] == b"LINK")
    at, last, n, size = struct.unpack_from(">IIII", data, 4)
    need(n and size == len(data))
    spans, out, before = [], [], 0
    while at:
        need(len(spans) < n)
        following, previous, length, name, summed = struct.unpack_from(">IIIHH", data, at)
        need(previous == before and 0 < name <= length - 16)
        out.append(data[at + 16 + name : at + length])
        need(sum(out[-1]) & 0xFFFF == summed)
        spans.append((at, length))
        before, at = at, following
    need(len(spans) == n and before == last)
    tiles(spans, 20, size)
    return kept(out)


# words: all lengths in words of four bytes, that of the head of a member too, but the bytes of a member in bits; the
# head has the number of members, the words and bits of all and Fletcher-16 of what follows it.


def write_words(_, members, names):
    out = b""
    for m, x in zip(members, names):
        x, words = pad(x, 4), (len(m) + 3) // 4
        out += struct.pack(">BBHI", 2 + len(x) // 4, 7, 2 + len(x) // 4 + words, 8 * len(m)) + x + pad(m, 4)
    bits = 8 * sum(map(len, members))
    return b"WRDS" + struct.pack(">HHII", len(members), fletcher16(out), 4 + len(out) // 4, bits) + out


def check_words(data):
    r, out = Reader(data), []
    need(r.take(4) == b"WRDS")
    n, summed, words, bits = r.of(">HHII")
    need(n and words * 4 == len(data) and fletcher16(data[16:]) == summed)
    for _ in range(n):
        head, kind, whole, mine = r.of(">BBHI")
        need(head > 2 and kind == 7 and mine % 8 == 0 and whole == head + (mine + 31) // 32)
        need(r.take(4 * head - 8)[0])
        out.append(r.take(mine // 8))
        r.zeros(4)
        bits -= mine
    r.end()
    need(bits == 0)
    return kept(out)


# totals: groups of members (length, sort, bytes), each with how many, how many bytes, its whole size, and Adler-32
# behind it; the head has totals of these: groups, members, bytes, the longest member, and members of each sort.


def write_totals(_, members, names):
    sorts, out, groups = [0] * 4, b"", [members[i : i + 6] for i in range(0, len(members), 6)]
    for group in groups:
        body = b""
        for m in group:
            sort = fnv(names[members.index(m)]) % 4
            sorts[sort] += 1
            body += struct.pack("<HB", len(m), sort) + m
        out += struct.pack("<HII", len(group), sum(map(len, group)), 14 + len(body)) + body
        out += struct.pack("<I", zlib.adler32(body))
    sizes = [len(m) for m in members]
    return b"TOTL" + struct.pack("<HHII4H", len(groups), len(sizes), sum(sizes), max(sizes), *sorts) + out


def check_totals(data):
    r, out, sorts = Reader(data), [], [0] * 4
    need(r.take(4) == b"TOTL")
    groups, n, total, longest, *stated = r.of("<HHII4H")
    for _ in range(groups):
        begin, before = r.at, len(out)
        count, size, whole = r.of("<HII")
        need(count)
        for _ in range(count):
            length, sort = r.of("<HB")
            need(sort < 4)
            sorts[sort] += 1
            out.append(r.take(length))
        need(zlib.adler32(data[begin + 10 : r.at]) == r.of("<I")[0])
        need(r.at - begin == whole and sum(map(len, out[before:])) == size)
    r.end()
    need((len(out), sum(map(len, out)), sorts) == (n, total, stated) and max(map(len, out)) == longest)
    return kept(out)


# lists: one number for three lists, of names, of lengths (three bytes) and of attributes, with a CRC-16 of them; then
# the members, the last first. Big endian.


def write_lists(rng, members, names):
    lists = b"".join(bytes([len(x)]) + x for x in names)
    lists += b"".join(struct.pack(">I", len(m))[1:] for m in members)
    lists += b"".join(struct.pack(">H", rng.choice((0o644, 0o755, 0o600))) for _ in members)
    return b"LSTS" + struct.pack(">HH", len(members), crc16(lists)) + lists + b"".join(reversed(members))


def check_lists(data):
    r = Reader(data)
    need(r.take(4) == b"LSTS")
    n, crc = r.of(">HH")
    names = [r.take(r.take(1)[0]) for _ in range(n)]
    lengths = [int.from_bytes(r.take(3), "big") for _ in range(n)]
    need(all(names) and all(r.of(">H")[0] in (0o644, 0o755, 0o600) for _ in range(n)))
    need(crc16(data[8 : r.at]) == crc)
    out = [r.take(length) for length in reversed(lengths)]
    r.end()
    return kept(out)


# copy: a head with keys and values, how many and where the rows are (in units of eight bytes) and their MD5; members
# padded to eight, rows, and a copy of the head with its size at the end.


def write_copy(_, members, names):
    pairs = [(b"title", b"made of members"), (b"author", b"nobody at all"), (b"tool", b"fresh 1.0"), (b"lang", b"en")]
    head, body, rows = b"COPYHEAD", b"", b""
    pairs = pairs if len(members) > 1 else []
    head += struct.pack("<H", len(pairs))
    for key, value in pairs:
        head += struct.pack("<H", len(key)) + key + struct.pack("<H", len(value)) + value
    size = (len(head) + 24 + 7) // 8 * 8
    for m, x in zip(members, names):
        rows += struct.pack("<II16s", (size + len(body)) // 8, len(m), x[:16])
        body = pad(body + m, 8)
    head = pad(head + struct.pack("<II", len(members), (size + len(body)) // 8) + md5(rows), 8)
    return head + body + rows + head + struct.pack("<I", size) + b"TAIL"


def check_copy(data):
    r, out = Reader(data), []
    need(r.take(8) == b"COPYHEAD" and data[-4:] == b"TAIL")
    for _ in range(r.of("<H")[0]):
        need(r.take(r.of("<H")[0]) and r.take(r.of("<H")[0]))
    (n, at), summed = r.of("<II"), r.take(16)
    r.zeros(8)
    size = r.at
    need(n and data[-8:-4] == struct.pack("<I", size) and data[-8 - size : -8] == data[:size])
    need(8 * at + 24 * n == len(data) - 8 - size and md5(data[8 * at : 8 * at + 24 * n]) == summed)
    for i in range(n):
        place, length, name = struct.unpack_from("<II16s", data, 8 * at + 24 * i)
        need(8 * place == r.at and name[0])
        out.append(r.take(length))
        r.zeros(8)
    need(r.at == 8 * at)
    return kept(out)


# nested: an archive (little endian, lengths and CRC-32) of archives (big endian, where members end, and Adler-32).


def write_nested(_, members, _names):
    inner = []
    for i in range(0, len(members), 5):
        part = members[i : i + 5]
        ends = [sum(map(len, part[: k + 1])) for k in range(len(part))]
        one = b"IN" + struct.pack(">H%dH" % len(part), len(part), *ends) + b"".join(part)
        inner.append(one + struct.pack(">I", zlib.adler32(one)))
    out = b"".join(struct.pack("<II", len(a), zlib.crc32(a)) + a for a in inner)
    return b"OUTR" + struct.pack("<I", len(inner)) + out


def check_nested(data):
    r, out = Reader(data), []
    need(r.take(4) == b"OUTR")
    for _ in range(r.of("<I")[0]):
        size, crc = r.of("<II")
        one = Reader(r.take(size))
        need(zlib.crc32(one.data) == crc and zlib.adler32(one.data[:-4]) == struct.unpack(">I", one.data[-4:])[0])
        need(one.take(2) == b"IN")
        ends = one.of(">%dH" % one.of(">H")[0])
        out += [one.take(b - a) for a, b in zip((0,) + ends, ends)]
        one.take(4)
        one.end()
    r.end()
    return kept(out)


# strings: rows of two strings (directory and file), place, length and MD5, sorted; each string once in a sorted pool,
# none of them without use. Members in the order in which they came.


def write_strings(_, members, names):
    split = [(b"", x) if b"/" not in x else tuple(x.split(b"/")) for x in names]
    strings, places, pool = sorted({s for pair in split for s in pair}), {}, b""
    for s in strings:
        places[s], pool = len(pool), pool + s + b"\0"
    base, body, rows = 16 + 32 * len(members) + len(pool), b"", []
    for m, (a, b) in zip(members, split):
        rows.append((places[a], places[b], base + len(body), len(m), md5(m)))
        body += m
    head = b"STRS" + struct.pack("<III", len(members), len(strings), len(pool))
    return head + b"".join(struct.pack("<IIII16s", *row) for row in sorted(rows)) + pool + body


def check_strings(data):
    r = Reader(data)
    need(r.take(4) == b"STRS")
    n, many, size = r.of("<III")
    rows = [r.of("<IIII16s") for _ in range(n)]
    pool, places, strings = Reader(r.take(size)), set(), []
    while pool.more():
        places.add(pool.at)
        strings.append(pool.line(b"\0"))
    need(n and len(strings) == many and strings == sorted(set(strings)))
    need(places == {p for row in rows for p in row[:2]})
    pairs = [row[:2] for row in rows]
    need(pairs == sorted(set(pairs)) and all(md5(data[p : p + k]) == s for _, _, p, k, s in rows))
    tiles([row[2:4] for row in rows], r.at, len(data))
    return kept(data[p : p + k] for _, _, p, k, _ in rows)


# csexp: an S-expression of strings with their lengths in front: how many members, how many bytes, and for each member
# its name, its CRC-32 in hex and its bytes.


def csexp(x):
    return b"(" + b"".join(map(csexp, x)) + b")" if isinstance(x, list) else b"%d:%s" % (len(x), x)


def read_csexp(r):
    if r.data[r.at : r.at + 1] == b"(":
        out = []
        r.take(1)
        while r.data[r.at : r.at + 1] != b")":
            out.append(read_csexp(r))
        r.take(1)
        return out
    size = r.line(b":")
    need(re.fullmatch(rb"0|[1-9][0-9]*", size))
    return r.take(int(size))


def write_csexp(_, members, names):
    head = [[b"count", b"%d" % len(members)], [b"bytes", b"%d" % sum(map(len, members))]]
    rows = [[b"member", x, [b"sum", b"%08x" % zlib.crc32(m)], [b"data", m]] for m, x in zip(members, names)]
    return csexp([b"archive"] + head + rows)


def check_csexp(data):
    r = Reader(data)
    word, count, size, *rows = read_csexp(r)
    r.end()
    need(word == b"archive" and count == [b"count", b"%d" % len(rows)])
    need(all(row[0] == b"member" and row[1] for row in rows))
    out = [row[3][1] for row in rows]
    need(all(row[2:] == [[b"sum", b"%08x" % zlib.crc32(m)], [b"data", m]] for row, m in zip(rows, out)))
    need(size == [b"bytes", b"%d" % sum(map(len, out))])
    return kept(out)


# ini: a section with how many members and bytes there are, and one for each, numbered: its name, size, CRC-32, how
# many lines of base64, and these, numbered.


def write_ini(_, members, names):
    out = ["[archive]", "members = %d" % len(members), "bytes = %d" % sum(map(len, members)), ""]
    for i, (m, x) in enumerate(zip(members, names)):
        coded = base64.b64encode(m).decode()
        lines = [coded[k : k + 64] for k in range(0, len(coded), 64)]
        out += ["[member.%d]" % (i + 1), "name = " + x.decode(), "size = %d" % len(m), "crc = %08x" % zlib.crc32(m)]
        out += ["lines = %d" % len(lines)] + ["%d = %s" % pair for pair in enumerate(lines, 1)] + [""]
    return "\n".join(out).encode()


def check_ini(data):
    lines = data.decode("ascii").split("\n")
    out = []

    def value(key):
        found, equals, rest = lines.pop(0).partition(" = ")
        need(found == key and equals and rest)
        return rest

    need(lines.pop(0) == "[archive]")
    n, total = int(value("members")), int(value("bytes"))
    need(lines.pop(0) == "")
    for i in range(n):
        need(lines.pop(0) == "[member.%d]" % (i + 1) and value("name"))
        size, crc, many = int(value("size")), value("crc"), int(value("lines"))
        coded = [value(str(k + 1)) for k in range(many)]
        out.append(base64.b64decode("".join(coded), validate=True))
        need(all(len(line) == 64 for line in coded[:-1]) and (not coded or len(coded[-1]) <= 64))
        need(len(out[-1]) == size and "%08x" % zlib.crc32(out[-1]) == crc and lines.pop(0) == "")
    need(not lines and sum(map(len, out)) == total)
    return kept(out)


# mbox: messages with Lines and Content-Length; the first is the folder's own, and has a line for each of the others:
# where it begins and how long it is with its head.


def message(head, text):
    lines = "From nobody Thu Jan  1 00:00:00 1970\n%sLines: %d\nContent-Length: %d\n\n"
    return (lines % (head, text.count(b"\n"), len(text))).encode() + text + b"\n"


def write_mbox(_, members, names):
    all_of = [message("Message-ID: <%s@fresh>\n" % x.decode(), m) for m, x in zip(members, names)]
    head = "X-Messages: %d\nX-Bytes: %d\n" % (len(all_of), sum(map(len, all_of)))
    at, index = len(message(head, b"%010d %06d\n" % (0, 0) * len(all_of))), b""
    for one in all_of:
        index += b"%010d %06d\n" % (at, len(one))
        at += len(one)
    return b"".join([message(head, index)] + all_of)


def read_message(r, names):
    need(re.fullmatch(rb"From nobody \S.* \d{4}", r.line()))
    values = [r.line().split(b": ", 1) for _ in names + ["", ""]]
    need([v[0].decode() for v in values] == names + ["Lines", "Content-Length"] and r.line() == b"")
    text = r.take(int(values[-1][1]))
    need(text.count(b"\n") == int(values[-2][1]) and text[-1:] in (b"", b"\n") and r.line() == b"")
    return [v[1] for v in values], text


def check_mbox(data):
    r, out, index = Reader(data), [], b""
    values, stated = read_message(r, ["X-Messages", "X-Bytes"])
    need(int(values[1]) == len(data) - r.at)
    while r.more():
        at = r.at
        head, text = read_message(r, ["Message-ID"])
        need(re.fullmatch(rb"<[^<>@ ]+@fresh>", head[0]))
        index += b"%010d %06d\n" % (at, r.at - at)
        out.append(text)
    need(stated == index and int(values[0]) == len(out))
    return kept(out)


# octal: heads of 128 bytes as tar has them (name, size, serial, sum of the head, magic), members padded to 128; a last
# head without a name has the totals; zeros up to 512.


def octal_head(name, size, serial):
    head = struct.pack("64s12s8s8s8s28x", name, b"%011o" % size, b"%07o" % serial, b" " * 8, b"octal 1")
    return head[:84] + b"%06o\0 " % sum(head) + head[92:]


def write_octal(_, members, names):
    out = b""
    for i, (m, x) in enumerate(zip(members, names)):
        out += octal_head(x, len(m), i) + pad(m, 128)
    return pad(out + octal_head(b"", sum(map(len, members)), len(members)), 512)


def check_octal(data):
    r, out = Reader(data), []
    while True:
        head = r.take(128)
        name, size = head[:64].rstrip(b"\0"), int(head[64:75], 8)
        if not name:
            break
        need(head == octal_head(name, size, len(out)))
        out.append(r.take(size))
        r.zeros(128)
    need(head == octal_head(b"", sum(map(len, out)), len(out)))
    r.zeros(512)
    r.end()
    return kept(out)


# chunks: as HTTP has them, each with a CRC-32; behind the last how many there were, how many bytes, and SHA-256.


def write_chunks(_, members, _names):
    out = b"FRESH/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Chunks, Bytes, Digest\r\n\r\n"
    members = [m or b"-" for m in members]
    for m in members:
        out += b"%x;crc=%08x\r\n%s\r\n" % (len(m), zlib.crc32(m), m)
    digest = base64.b64encode(sha256(b"".join(members)))
    lines = b"0\r\nChunks: %d\r\nBytes: %d\r\nDigest: sha-256=%s\r\n\r\n"
    return out + lines % (len(members), sum(map(len, members)), digest)


def check_chunks(data):
    r, out = Reader(data), []
    need(r.line(b"\r\n") == b"FRESH/1.0 200 OK" and r.line(b"\r\n") == b"Transfer-Encoding: chunked")
    need(r.line(b"\r\n") == b"Trailer: Chunks, Bytes, Digest" and r.line(b"\r\n") == b"")
    while True:
        size = r.line(b"\r\n")
        if size == b"0":
            break
        need(re.fullmatch(rb"[1-9a-f][0-9a-f]*;crc=[0-9a-f]{8}", size))
        out.append(r.take(int(size[:-13], 16)))
        need(r.line(b"\r\n") == b"" and int(size[-8:], 16) == zlib.crc32(out[-1]))
    need(r.line(b"\r\n") == b"Chunks: %d" % len(out) and r.line(b"\r\n") == b"Bytes: %d" % sum(map(len, out)))
    need(r.line(b"\r\n") == b"Digest: sha-256=" + base64.b64encode(sha256(b"".join(out))) and r.line(b"\r\n") == b"")
    r.end()
    return kept(out)


# toc: as xar has it: a head with the sizes of the table, packed and not; the table, lines of text that name each
# member, its place in the heap, both its sizes and its MD5, packed by zlib; the heap, which begins with the SHA-256 of
# the packed table.


def write_toc(_, members, names):
    heap, lines = b"", b""
    for m, x in zip(members, names):
        z = zlib.compress(m, 9)
        lines += b"file %s %d %d %d %s\n" % (x, 32 + len(heap), len(z), len(m), md5(m).hex().encode())
        heap += z
    table = b"files %d heap %d\n" % (len(members), 32 + len(heap)) + lines
    z = zlib.compress(table, 9)
    return b"TOCF" + struct.pack(">HHQQI", 28, 1, len(z), len(table), 3) + z + sha256(z) + heap


def inflate(data):
    z = zlib.decompressobj()
    out = z.decompress(data)
    need(z.eof and not z.unused_data)
    return out


def check_toc(data):
    r, spans, out = Reader(data), [(0, 32)], []
    need(r.take(4) == b"TOCF")
    head, version, packed, plain, method = r.of(">HHQQI")
    need((head, version, method) == (28, 1, 3))
    z = r.take(packed)
    table, heap = Reader(inflate(z)), data[r.at :]
    need(len(table.data) == plain and heap[:32] == sha256(z))
    first = table.line().split()
    while table.more():
        word, name, place, length, size, summed = table.line().split(b" ")
        need(word == b"file" and name)
        spans.append((int(place), int(length)))
        out.append(inflate(heap[int(place) : int(place) + int(length)]))
        need(len(out[-1]) == int(size) and md5(out[-1]).hex().encode() == summed)
    need(first == [b"files", b"%d" % len(out), b"heap", b"%d" % len(heap)])
    tiles(spans, 0, len(heap))
    return kept(out)


# tree: a binary tree of members by their keys, in the order in which they were put in; places count from the end of
# the head, which has how many there are, how deep the tree is and where its root is.


def write_tree(rng, members, _):
    keys = rng.sample(range(1, 9000), len(members))
    links, places, at, depth = [[0xFFFFFFFF] * 2 for _ in keys], [], 0, 1
    for i, key in enumerate(keys):
        places.append(at)
        at += 12 + len(members[i])
        here, level = 0, 1
        while here != i:
            level += 1
            side = key > keys[here]
            if links[here][side] == 0xFFFFFFFF:
                links[here][side] = at - 12 - len(members[i])
            here = places.index(links[here][side])
        depth = max(depth, level)
    out = b"".join(struct.pack("<IIHH", *links[i], keys[i], len(m)) + m for i, m in enumerate(members))
    return b"TREE" + struct.pack("<HHI", len(keys), depth, 0) + out


def check_tree(data):
    need(data[:4] == b"TREE")
    n, depth, root = struct.unpack_from("<HHI", data, 4)
    spans, out, deepest = [], [], 0

    def walk(at, low, high, level):
        nonlocal deepest
        if at == 0xFFFFFFFF:
            return
        need(len(spans) < n)
        left, right, key, length = struct.unpack_from("<IIHH", data, 12 + at)
        need(low < key < high)
        spans.append((at, 12 + length))
        out.append(data[24 + at : 24 + at + length])
        deepest = max(deepest, level)
        walk(left, low, key, level + 1)
        walk(right, key, high, level + 1)

    walk(root, 0, 9000, 1)
    need(len(spans) == n and deepest == depth)
    tiles(spans, 0, len(data) - 12)
    return kept(out)


# riff: a tree of chunks as AVI has it: a list with the head (how many chunks, how long the longest), a list of lists of
# chunks, and an index whose places count from the word movi. Padded to two.


def riff(word, content):
    return pad(word + struct.pack("<I", len(content)) + content, 2)


def write_riff(rng, members, _):
    movi, index = b"movi", b""
    for i in range(0, len(members), 4):
        rec = b"rec "
        for m in members[i : i + 4]:
            word = rng.choice((b"00db", b"01wb"))
            index += word + struct.pack("<III", 16, len(movi) + 8 + len(rec), len(m))
            rec += riff(word, m)
        movi += riff(b"LIST", rec)
    head = struct.pack("<III", len(members), max(map(len, members)), 2)
    hdrl = riff(b"LIST", b"hdrl" + riff(b"frsh", head))
    return riff(b"RIFF", b"FRSH" + hdrl + riff(b"LIST", movi) + riff(b"idx1", index))


def read_riff(r, words, form=b""):
    word, size = r.of("<4sI")
    need(word in words)
    one = Reader(r.take(size))
    r.zeros(2)
    need(one.take(len(form)) == form)
    return word, one


def check_riff(data):
    r, out, index = Reader(data), [], b""
    whole = read_riff(r, [b"RIFF"], b"FRSH")[1]
    r.end()
    hdrl, movi = read_riff(whole, [b"LIST"], b"hdrl")[1], read_riff(whole, [b"LIST"], b"movi")[1]
    stated = read_riff(whole, [b"idx1"])[1].data
    whole.end()
    n, longest, streams = read_riff(hdrl, [b"frsh"])[1].of("<III")
    hdrl.end()
    while movi.more():
        begin, rec = movi.at + 8, read_riff(movi, [b"LIST"], b"rec ")[1]
        while rec.more():
            place = begin + rec.at
            word, one = read_riff(rec, [b"00db", b"01wb"])
            index += word + struct.pack("<III", 16, place, len(one.data))
            out.append(one.data)
    need(streams == 2 and index == stated and len(out) == n and max(map(len, out)) == longest)
    return kept(out)


def lines_of(members):
    """The needle among lines of text."""
    out = []
    for m in members:
        text = m if KEPT in m else m.hex().encode()[: len(m)]
        out.append(b"".join(text[k : k + 70] + b"\n" for k in range(0, len(text), 70)))
    return out


def same(members):
    return members


WAYS = {
    "trailer": (write_trailer, check_trailer, 44, same),
    "hash": (write_hash, check_hash, 40, same),
    "pages": (write_pages, check_pages, 32, same),
    "der": (write_der, check_der, 36, same),
    "ebml": (write_ebml, check_ebml, 40, same),
    "linked": (write_linked, check_linked, 34, same),
    "words": (write_words, check_words, 48, same),
    "totals": (write_totals, check_totals, 54, same),
    "lists": (write_lists, check_lists, 38, same),
    "copy": (write_copy, check_copy, 33, same),
    "nested": (write_nested, check_nested, 45, same),
    "strings": (write_strings, check_strings, 36, same),
    "csexp": (write_csexp, check_csexp, 42, same),
    "ini": (write_ini, check_ini, 30, same),
    "mbox": (write_mbox, check_mbox, 35, lines_of),
    "octal": (write_octal, check_octal, 37, same),
    "chunks": (write_chunks, check_chunks, 46, same),
    "toc": (write_toc, check_toc, 43, same),
    "tree": (write_tree, check_tree, 50, same),
    "riff": (write_riff, check_riff, 60, same),
}


def maker(write, n, form):
    return lambda rng: write(rng, form(members_of(rng, n)), names_of(rng, n))


def smallest(kind, rng):
    """The file of the needle alone."""
    write, _, _, form = WAYS[kind]
    return write(rng, form([KEPT]), [b"a"])


KINDS = {"fresh-" + kind: (maker(write, n, form), check) for kind, (write, check, n, form) in WAYS.items()}
