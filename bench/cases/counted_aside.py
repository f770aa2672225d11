"""More kinds of bench/made like those of counted.py, made to be measured and not to be worked on."""

import re

from counted import Bad, faces_of, floats, ints, join, lines_of, need, point, mesh, mesh_kept, WORDS

__all__ = ["KINDS", "Bad"]


def make_grid(rng):
    """As of VTK's old format: counts behind words, and one of all numbers of a section."""
    points, polygons = mesh(rng, 75, 60)
    rows = ["%d %s" % (len(p), " ".join(map(str, p))) for p in polygons]
    lines = ["# vtk DataFile Version 2.0", "made up", "ASCII", "DATASET UNSTRUCTURED_GRID", "POINTS %d float" % len(points)]
    lines += points + ["CELLS %d %d" % (len(rows), sum(len(p) + 1 for p in polygons))] + rows
    return join(lines + ["CELL_TYPES %d" % len(rows)] + [str(rng.choice((5, 7, 9))) for _ in rows])


def check_grid(data):
    lines = lines_of(data)
    need(lines[0].startswith("# vtk DataFile") and lines[2:4] == ["ASCII", "DATASET UNSTRUCTURED_GRID"])
    n = int(re.fullmatch(r"POINTS (\d+) float", lines[4])[1])
    points, at = [tuple(floats(x, 3)) for x in lines[5 : 5 + n]], 5 + n
    cells, size = map(int, re.fullmatch(r"CELLS (\d+) (\d+)", lines[at]).groups())
    rows = [ints(x) for x in lines[at + 1 : at + 1 + cells]]
    need(sum(map(len, rows)) == size and all(r[0] == len(r) - 1 for r in rows))
    at += 1 + cells
    need(lines[at] == "CELL_TYPES %d" % cells and len(lines) == at + 1 + cells)
    need(all(int(x) in (5, 7, 9) for x in lines[at + 1 :]))
    return mesh_kept(points, [r[1:] for r in rows])


def make_sections(rng):
    """As of gmsh: the count on a line of its own, and lines that begin with their own number."""
    points, polygons = mesh(rng, 60, 70)
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(points))]
    lines += ["%d %s" % (i + 1, p) for i, p in enumerate(points)] + ["$EndNodes", "$Elements", str(len(polygons))]
    for i, p in enumerate(polygons):
        lines.append("%d %d 2 0 1 %s" % (i + 1, len(p) - 1, " ".join(str(x + 1) for x in p)))
    return join(lines + ["$EndElements"])


def check_sections(data):
    lines = lines_of(data)
    need(lines[:5] == ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", lines[4]])
    n = int(lines[4])
    nodes, at = [x.split(None, 1) for x in lines[5 : 5 + n]], 5 + n
    need([int(x[0]) for x in nodes] == list(range(1, n + 1)))
    need(lines[at : at + 2] == ["$EndNodes", "$Elements"])
    m = int(lines[at + 2])
    rows = [ints(x) for x in lines[at + 3 : at + 3 + m]]
    need(lines[at + 3 + m :] == ["$EndElements"] and [r[0] for r in rows] == list(range(1, m + 1)))
    need(all(r[2] == 2 and len(r) == 5 + r[1] + 1 for r in rows))
    return mesh_kept([tuple(floats(x[1], 3)) for x in nodes], [[i - 1 for i in r[5:]] for r in rows])


def make_network(rng):
    """As of Pajek: nodes with their own number and a name, then arcs."""
    lines = ["*Vertices 60"] + ['%d "%s%d"' % (i + 1, rng.choice(WORDS), i) for i in range(60)] + ["*Arcs"]
    lines[33] = '33 "kept33"'
    lines += ["%d %d %d" % (*rng.sample(range(1, 61), 2), rng.randrange(1, 9)) for _ in range(150)]
    lines[130:130] = ["33 48 1", "48 12 1", "12 33 1", "60 1 2"]
    return join(lines)


def check_network(data):
    lines = lines_of(data)
    n = int(re.fullmatch(r"\*Vertices (\d+)", lines[0])[1])
    names = [re.fullmatch(r'(\d+) "(\w+)"', x) for x in lines[1 : n + 1]]
    need([int(m[1]) for m in names] == list(range(1, n + 1)) and lines[n + 1] == "*Arcs")
    arcs = [ints(x) for x in lines[n + 2 :]]
    need(all(len(a) == 3 and a[0] != a[1] and 1 <= min(a[:2]) and max(a[:2]) <= n for a in arcs))
    near = {}
    for a, b, _ in arcs:
        near.setdefault(a, set()).add(b)
    kept = [i + 1 for i, m in enumerate(names) if m[2].startswith("kept")]
    return any(a in near.get(c, ()) for a in kept for b in near.get(a, ()) for c in near.get(b, ()) if a != c)


def make_atoms(rng):
    """As of a molfile: a line of counts in columns of three, atoms, bonds between atoms by number."""
    atoms = [["C", "H", "O"][rng.randrange(3)] for _ in range(70)]
    atoms[23], atoms[51], atoms[12] = "Si", "Se", "Br"
    bonds = [(*rng.sample(range(1, 71), 2), rng.choice((1, 2))) for _ in range(80)]
    bonds[50:50] = [(24, 52, 1), (52, 13, 2), (70, 1, 1)]
    lines = ["made", "  up", "", "%3d%3d  0  0  0  0            999 V2000" % (len(atoms), len(bonds))]
    lines += ["%10.4f%10.4f%10.4f %-3s 0  0" % (*(rng.uniform(-9, 9) for _ in range(3)), a) for a in atoms]
    return join(lines + ["%3d%3d%3d  0" % b for b in bonds] + ["M  END"])


def check_atoms(data):
    lines = lines_of(data)
    need(lines[3].endswith(" V2000"))
    n, m = int(lines[3][:3]), int(lines[3][3:6])
    atoms = [x[31:34].strip() for x in lines[4 : 4 + n]]
    need(len(lines) == 5 + n + m and lines[-1] == "M  END" and all(re.fullmatch("[A-Z][a-z]?", a) for a in atoms))
    bonds = [(int(x[:3]), int(x[3:6])) for x in lines[4 + n : 4 + n + m]]
    need(all(1 <= x <= n for b in bonds for x in b))
    pairs = {frozenset((atoms[a - 1], atoms[b - 1])) for a, b in bonds}
    return frozenset(("Si", "Se")) in pairs and frozenset(("Se", "Br")) in pairs


def make_cloud(rng):
    """As of PCD: two numbers in the head that say the same."""
    rows = [point(rng) for _ in range(200)]
    rows[120] = "61.5 62.5 77.5"
    head = ["VERSION .7", "FIELDS x y z", "SIZE 4 4 4", "TYPE F F F", "COUNT 1 1 1", "WIDTH 200", "HEIGHT 1"]
    return join(head + ["VIEWPOINT 0 0 0 1 0 0 0", "POINTS 200", "DATA ascii"] + rows)


def check_cloud(data):
    lines = lines_of(data)
    at = lines.index("DATA ascii")
    head = dict(x.split(None, 1) for x in lines[:at])
    rows = [floats(x, 3) for x in lines[at + 1 :]]
    need(int(head["WIDTH"]) * int(head["HEIGHT"]) == int(head["POINTS"]) == len(rows) and head["FIELDS"] == "x y z")
    return any(r[0] > 61 and r[2] > 77 for r in rows)


def make_particles(rng):
    """As of LAMMPS: counts in front of words, sections with a title and a blank line."""
    n, m = 64, 50
    lines = ["made up", "", "%d atoms" % n, "%d bonds" % m, "2 atom types", "", "Atoms", ""]
    kinds = [rng.choice((1, 1, 1, 2)) for _ in range(n)]
    lines += ["%d %d %s" % (i + 1, kinds[i], point(rng)) for i in range(n)] + ["", "Bonds", ""]
    bonds = [tuple(rng.sample(range(1, n + 1), 2)) for _ in range(m)]
    bonds[30], bonds[31] = (9, 44), (1, n)
    lines[8 + 8] = "9 2 88.500 1.000 1.000"
    lines[8 + 43] = "44 2 89.500 1.000 1.000"
    return join(lines + ["%d 1 %d %d" % (i + 1, *b) for i, b in enumerate(bonds)])


def check_particles(data):
    lines = lines_of(data)
    counts = {m[2]: int(m[1]) for m in (re.fullmatch(r"(\d+) (atoms|bonds)", x) for x in lines) if m}
    at, to = lines.index("Atoms"), lines.index("Bonds")
    atoms = [x.split() for x in lines[at + 1 : to] if x]
    bonds = [ints(x) for x in lines[to + 1 :] if x]
    need(len(atoms) == counts["atoms"] and len(bonds) == counts["bonds"] and lines[at + 1] == lines[to + 1] == "")
    need([int(a[0]) for a in atoms] == list(range(1, len(atoms) + 1)) and all(len(a) == 5 for a in atoms))
    need([b[0] for b in bonds] == list(range(1, len(bonds) + 1)))
    need(all(1 <= x <= len(atoms) for b in bonds for x in b[2:]))
    far = {i for i, a in enumerate(atoms, 1) if float(a[2]) > 88}
    return any(set(b[2:]) <= far and b[2] != b[3] for b in bonds)


KINDS = {
    "grid": (make_grid, check_grid),
    "sections": (make_sections, check_sections),
    "network": (make_network, check_network),
    "atoms": (make_atoms, check_atoms),
    "cloud": (make_cloud, check_cloud),
    "particles": (make_particles, check_particles),
}
