"""Kinds of bench/made: text with numbers that say how many lines, blocks or words follow, and numbers that are
places in a list. Each reader refuses what a strict one does: a wrong count, a number beyond the list, anything left
over. A few things must stay that only go together, so that no prefix of the file will do."""

import re

WORDS = ("alpha", "river", "stone", "cloud", "ember", "grain", "lever", "north", "orbit", "pearl")


class Bad(Exception):
    pass


def need(condition):
    if not condition:
        raise Bad


def lines_of(data):
    text = data.decode("ascii")
    need(text.endswith("\n"))
    return text[:-1].split("\n")


def join(lines):
    return ("\n".join(lines) + "\n").encode()


def ints(line):
    return list(map(int, line.split()))


def floats(line, n):
    out = list(map(float, line.split()))
    need(len(out) == n)
    return out


def point(rng):
    return " ".join("%.3f" % rng.uniform(-9, 9) for _ in range(3))


def faces_of(rng, n, vertices):
    return [rng.sample(range(vertices), rng.choice((3, 3, 4))) for _ in range(n)]


def mesh(rng, vertices, faces):
    """Points and faces; one face has the three points that must stay."""
    points, polygons = [point(rng) for _ in range(vertices)], faces_of(rng, faces, vertices)
    marked = rng.sample(range(vertices), 3)
    for k, i in enumerate(marked):
        points[i] = "%d.125 0.5 77.0" % (k + 60)
    polygons[faces // 2] = marked
    polygons[faces // 3] = [vertices - 1, 0, 1]
    return points, polygons


def mesh_kept(points, polygons):
    """Is there a face that is large, in the plane z = 77?"""
    need(points and polygons)
    for polygon in polygons:
        need(len(polygon) >= 3 and all(0 <= i < len(points) for i in polygon))
    return any(len({points[i] for i in p}) >= 3 and all(points[i][2] == 77 for i in p) for p in polygons)


def make_off(rng):
    points, polygons = mesh(rng, 90, 120)
    rows = ["%d %s" % (len(p), " ".join(map(str, p))) for p in polygons]
    return join(["OFF", "%d %d 0" % (len(points), len(rows))] + points + rows)


def check_off(data):
    lines = lines_of(data)
    need(lines[0] == "OFF")
    vertices, faces, _ = ints(lines[1])
    need(len(lines) == 2 + vertices + faces)
    points = [tuple(floats(line, 3)) for line in lines[2 : 2 + vertices]]
    polygons = [ints(line) for line in lines[2 + vertices :]]
    need(all(p[0] == len(p) - 1 for p in polygons))
    return mesh_kept(points, [p[1:] for p in polygons])


def make_ply(rng):
    points, polygons = mesh(rng, 70, 80)
    rows = ["%d %s" % (len(p), " ".join(map(str, p))) for p in polygons]
    head = ["ply", "format ascii 1.0", "comment made up", "element vertex %d" % len(points)]
    head += ["property float " + c for c in "xyz"] + ["element face %d" % len(rows)]
    return join(head + ["property list uchar int vertex_indices", "end_header"] + points + rows)


def check_ply(data):
    lines = lines_of(data)
    need(lines[:2] == ["ply", "format ascii 1.0"])
    end = lines.index("end_header")
    counts = [re.fullmatch(r"element (vertex|face) (\d+)", line) for line in lines[:end]]
    counts = [(m[1], int(m[2])) for m in counts if m]
    need([name for name, _ in counts] == ["vertex", "face"])
    vertices, faces = counts[0][1], counts[1][1]
    rest = lines[end + 1 :]
    need(len(rest) == vertices + faces and "property list uchar int vertex_indices" in lines[:end])
    points = [tuple(floats(line, 3)) for line in rest[:vertices]]
    polygons = [ints(line) for line in rest[vertices:]]
    need(all(p[0] == len(p) - 1 for p in polygons))
    return mesh_kept(points, [p[1:] for p in polygons])


def make_obj(rng):
    points, polygons = mesh(rng, 80, 90)
    lines = ["o thing"] + ["v " + p for p in points] + ["vt %.2f %.2f" % (rng.random(), rng.random()) for _ in range(40)]
    lines += ["f " + " ".join("%d/%d" % (i + 1, rng.randrange(40) + 1) for i in p) for p in polygons]
    lines[-3] = "f 1/40 2/39 80/1"
    return join(lines)


def check_obj(data):
    points, polygons, textures, used = [], [], 0, [1]
    for line in lines_of(data):
        word, *rest = line.split()
        need(word in ("o", "v", "vt", "f"))
        if word == "v":
            points.append(tuple(floats(" ".join(rest), 3)))
        elif word == "vt":
            textures += 1
        elif word == "f":
            pairs = [re.fullmatch(r"(\d+)/(\d+)", x) for x in rest]
            polygons.append([int(m[1]) - 1 for m in pairs])
            used += [int(m[2]) for m in pairs]
    need(min(used) >= 1 and max(used) <= textures)
    return mesh_kept(points, polygons)


def make_matrix(rng):
    entries = {(rng.randrange(1, 61), rng.randrange(1, 51)): "%.4f" % rng.uniform(-5, 5) for _ in range(240)}
    entries[17, 40], entries[23, 40], entries[23, 9] = "4242.5", "-17.25", "8.5"
    lines = ["%%MatrixMarket matrix coordinate real general", "% made up", "60 50 %d" % len(entries)]
    return join(lines + ["%d %d %s" % (*at, entries[at]) for at in sorted(entries)])


def check_matrix(data):
    lines = lines_of(data)
    need(lines[0] == "%%MatrixMarket matrix coordinate real general")
    lines = [line for line in lines if not line.startswith("%")]
    rows, columns, n = ints(lines[0])
    entries = [line.split() for line in lines[1:]]
    need(len(entries) == n)
    at = {(int(r), int(c)): float(x) for r, c, x in entries}
    need(len(at) == n and all(1 <= r <= rows and 1 <= c <= columns for r, c in at))
    large = [p for p, x in at.items() if x > 4000]
    low = [p for p, x in at.items() if x < -17]
    return any(a[1] == b[1] and a[0] != b[0] for a in large for b in low)


def make_graph(rng):
    edges = [(a + 1, b + 41) for a in range(40) for b in rng.sample(range(40), 4)]
    edges[70:70] = [(5, 9), (9, 31), (31, 14), (14, 8), (8, 5)]
    return join(["c made up", "p edge 80 %d" % len(edges)] + ["e %d %d" % e for e in edges])


def check_graph(data):
    """There is a cycle of odd length, and no edge from a node to itself."""
    lines = [line for line in lines_of(data) if not line.startswith("c ")]
    head = re.fullmatch(r"p edge (\d+) (\d+)", lines[0])
    edges = [re.fullmatch(r"e (\d+) (\d+)", line) for line in lines[1:]]
    edges = [(int(m[1]), int(m[2])) for m in edges]
    need(len(edges) == int(head[2]) and all(1 <= x <= int(head[1]) for e in edges for x in e))
    need(all(a != b for a, b in edges))
    color = {}
    for start in range(1, int(head[1]) + 1):
        todo = [(start, 0)] if start not in color else []
        while todo:
            node, c = todo.pop()
            if color.setdefault(node, c) != c:
                return True
            if color[node] == c:
                near = [b for a, b in edges if a == node] + [a for a, b in edges if b == node]
                if any(color.get(x) == c for x in near):
                    return True
                todo += [(x, 1 - c) for x in near if x not in color]
    return False


def make_circuit(rng):
    """AIGER: an output that is never true, since two of its inputs contradict each other."""
    inputs, ands, gates = 20, 90, []
    for i in range(ands):
        gates.append([2 * (inputs + i + 1)] + [2 * rng.randrange(1, inputs + i + 1) + rng.randrange(2) for _ in (0, 1)])
    gates[40][1:] = 2 * 7, 2 * 12 + 1
    gates[41][1:] = 2 * 7 + 1, 2 * 3
    gates[60][1:] = gates[40][0], gates[41][0]
    outs = [gates[60][0]] + [rng.choice(gates)[0] for _ in range(9)]
    head = "aag %d %d 0 %d %d" % (inputs + ands, inputs, len(outs), ands)
    lines = [head] + [str(2 * i + 2) for i in range(inputs)] + list(map(str, outs))
    lines += ["%d %d %d" % tuple(g) for g in gates] + ["i%d in_%d" % (i, i) for i in range(8)] + ["c", "made up"]
    return join(lines)


def check_circuit(data):
    lines = lines_of(data)
    head = re.fullmatch(r"aag (\d+) (\d+) 0 (\d+) (\d+)", lines[0])
    most, inputs, outs, ands = map(int, head.groups())
    body = lines[1 : 1 + inputs + outs + ands]
    need(len(body) == inputs + outs + ands)
    rest = lines[1 + len(body) :]
    for line in rest:
        if line == "c":
            break
        need(re.fullmatch(r"[io]\d+ \S+", line))
        need(int(line.split()[0][1:]) < (inputs if line[0] == "i" else outs))
    given = [int(x) for x in body[:inputs]]
    gates = {int(a): (int(b), int(c)) for a, b, c in (x.split() for x in body[inputs + outs :])}
    known = set(given) | set(gates)
    need(len(known) == inputs + ands and all(x % 2 == 0 and 2 <= x <= 2 * most + 1 for x in known))
    used = [x for g in gates.values() for x in g] + [int(x) for x in body[inputs : inputs + outs]]
    need(all(x // 2 * 2 in known or x < 2 for x in used))
    for out in body[inputs : inputs + outs]:
        need_true, todo, deep = set(), [int(out)], 0
        while todo:
            x = todo.pop()
            if x in need_true:
                continue
            need_true.add(x)
            if x ^ 1 in need_true and len(need_true) > 4:
                return True
            if x in gates:
                deep += 1
                need(deep < 500)
                todo += gates[x]
    return False


def make_font(rng):
    lines = ["STARTFONT 2.1", "FONT made-up", "SIZE 8 75 75", "FONTBOUNDINGBOX 8 9 0 0", "STARTPROPERTIES 3"]
    lines += ["FONT_ASCENT 8", "FONT_DESCENT 1", "DEFAULT_CHAR 32", "ENDPROPERTIES", "CHARS 40"]
    for i in range(40):
        height = rng.randrange(4, 10)
        rows = ["%02X" % rng.randrange(256) for _ in range(height)]
        if i == 26:
            rows[2] = "A5"
        lines += ["STARTCHAR c%d" % i, "ENCODING %d" % (i + 32), "SWIDTH 500 0", "DWIDTH 8 0"]
        lines += ["BBX 8 %d 0 0" % height, "BITMAP"] + rows + ["ENDCHAR"]
    return join(lines + ["ENDFONT"])


def check_font(data):
    lines, at, found = lines_of(data), 0, False
    need(lines[0] == "STARTFONT 2.1" and lines[-1] == "ENDFONT" and lines.count("ENDFONT") == 1)
    while at < len(lines) and not lines[at].startswith("CHARS "):
        if lines[at].startswith("STARTPROPERTIES "):
            n = int(lines[at].split()[1])
            need(lines[at + n + 1] == "ENDPROPERTIES" and "ENDPROPERTIES" not in lines[at : at + n + 1])
        at += 1
    chars = int(lines[at].split()[1])
    at += 1
    for _ in range(chars):
        need(lines[at].startswith("STARTCHAR "))
        encoding = next(x for x in lines[at:] if not x.startswith("STARTCHAR"))
        need(re.fullmatch(r"ENCODING \d+", encoding))
        bits, box = lines.index("BITMAP", at), None
        for line in lines[at:bits]:
            need(line != "ENDCHAR")
            box = re.fullmatch(r"BBX (\d+) (\d+) 0 0", line) or box
        end = bits + 1 + int(box[2])
        need(lines[end] == "ENDCHAR" and all(re.fullmatch(r"[0-9A-F]{2}", x) for x in lines[bits + 1 : end]))
        found |= "A5" in lines[bits + 1 : end] and int(box[2]) >= 3
        at = end + 1
    need(at == len(lines) - 1)
    return found


def make_molecules(rng):
    lines = []
    for i in range(30):
        atoms = ["%s %s" % (rng.choice(("C", "H", "O", "N")), point(rng)) for _ in range(rng.randrange(4, 20))]
        if i == 19:
            atoms[2:2] = ["Xe 1.500 2.500 3.500", "He 4.500 5.500 6.500"]
        lines += [str(len(atoms)), "frame %d energy %.3f" % (i, rng.uniform(-99, 0))] + atoms
    return join(lines)


def check_molecules(data):
    lines, at, found = lines_of(data), 0, False
    while at < len(lines):
        n = int(lines[at])
        atoms = lines[at + 2 : at + 2 + n]
        need(len(atoms) == n and n)
        for atom in atoms:
            floats(atom.split(None, 1)[1], 3)
        kinds = [atom.split()[0] for atom in atoms]
        found |= "Xe" in kinds and "He" in kinds
        at += 2 + n
    return found


def make_picture(rng):
    rows = [[rng.randrange(200) for _ in range(40)] for _ in range(50)]
    rows[31][22], rows[32][22] = 251, 253
    return join(["P2", "40 50", "255"] + [" ".join(map(str, row)) for row in rows])


def check_picture(data):
    words = data.split()
    need(words[0] == b"P2")
    width, height, most = map(int, words[1:4])
    pixels = list(map(int, words[4:]))
    need(len(pixels) == width * height and all(0 <= x <= most for x in pixels))
    return any(pixels[i] == 251 and pixels[i + width] == 253 for i in range(len(pixels) - width))


def make_archive(rng):
    """As of WARC: heads of varying length, the length of the body among them."""
    out = b""
    for i in range(25):
        body = " ".join(rng.choice(WORDS) for _ in range(rng.randrange(20, 90))) + (" Qz7!kept" if i == 16 else "")
        head = ["WARC/1.0", "WARC-Type: " + rng.choice(("response", "metadata", "request"))]
        head += ["WARC-Target-URI: http://example.org/" + "/".join(rng.sample(WORDS, rng.randrange(1, 4)))]
        head += ["WARC-Date: 2020-01-01T00:%02d:00Z" % i] + ["X-Note: " + rng.choice(WORDS)] * rng.randrange(2)
        out += "\r\n".join(head + ["Content-Length: %d" % len(body), "", body, "", ""]).encode()
    return out


def check_archive(data):
    at, found = 0, False
    while at < len(data):
        end = data.index(b"\r\n\r\n", at) + 4
        head = data[at:end].split(b"\r\n")
        need(head[0] == b"WARC/1.0" and sum(x.startswith(b"WARC-Type: ") for x in head) == 1)
        size = [int(x[16:]) for x in head if x.startswith(b"Content-Length: ")]
        need(len(size) == 1 and data[end + size[0] : end + size[0] + 4] == b"\r\n\r\n")
        found |= b"Qz7!kept" in data[end : end + size[0]]
        at = end + size[0] + 4
    return found


KINDS = {
    "off": (make_off, check_off),
    "ply": (make_ply, check_ply),
    "obj": (make_obj, check_obj),
    "matrix": (make_matrix, check_matrix),
    "graph": (make_graph, check_graph),
    "circuit": (make_circuit, check_circuit),
    "font": (make_font, check_font),
    "molecules": (make_molecules, check_molecules),
    "picture": (make_picture, check_picture),
    "archive": (make_archive, check_archive),
}
