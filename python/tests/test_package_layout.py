"""The imports between the modules of the package: no circles, and few imports inside functions, each with its reason."""

import ast
import os
import re
from pathlib import Path

import cpaas

PACKAGE = Path(os.path.dirname(cpaas.__file__))
# Imports at the top of a module show what it depends on, and fail when it is imported.
MAX_IMPORTS_INSIDE_FUNCTIONS = 20


def modules():
    """The source of each module, by its name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def is_type_checking(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports(node, in_function=False, with_type_checking=False):
    """The imports below a node, and whether each is inside a function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, in_function
        elif is_type_checking(child) and not with_type_checking:
            for other in child.orelse:
                yield from imports(ast.Module([other], []), in_function)
        else:
            is_function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            yield from imports(child, in_function or is_function, with_type_checking)


def imported(name, node):
    """The modules of the package that an import loads."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if alias.name in MODULES]
    base = node.module or ""
    if node.level:
        package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
        parts = package.split(".")
        base = ".".join([*parts[: len(parts) - node.level + 1], *([node.module] if node.module else [])])
    targets = [f"{base}.{alias.name}" for alias in node.names]
    return [
        target if target in MODULES else base for target in targets if target in MODULES or base in MODULES
    ]


def graph():
    edges = {}
    for name, path in MODULES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        # The package itself names every module for type checkers.
        nodes = imports(tree, with_type_checking=name != "cpaas")
        edges[name] = {found for node, _ in nodes for found in imported(name, node)} - {name}
    return edges


def test_no_modules_import_in_a_circle():
    edges = graph()
    assert len(edges) > 40
    done, circles = set(), []

    def visit(name, path):
        if name in path:
            circles.append([*path[path.index(name) :], name])
        elif name not in done:
            for other in sorted(edges[name]):
                visit(other, [*path, name])
            done.add(name)

    for name in edges:
        visit(name, [])
    assert circles == []


def test_each_import_inside_a_function_has_a_reason(capsys):
    found, without = [], []
    for path in MODULES.values():
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node, in_function in imports(ast.parse(text)):
            if in_function:
                place = f"{path.relative_to(PACKAGE)}:{node.lineno}: {ast.unparse(node)}"
                found.append(place)
                above = lines[node.lineno - 2].strip()
                if not above.startswith("#") and "  # " not in lines[node.lineno - 1]:
                    without.append(place)
    with capsys.disabled():
        print(f"\n{len(found)} imports inside functions:", *found, sep="\n  ")
    assert without == [], (
        "move each import to the top of its module, or give the reason in a comment above it"
    )
    assert len(found) <= MAX_IMPORTS_INSIDE_FUNCTIONS, (
        f"expected at most {MAX_IMPORTS_INSIDE_FUNCTIONS} imports inside functions, got {len(found)} (printed above): move the new one to "
        "the top of its module; if it must wait, as that of an optional package or of a slow module, raise MAX_IMPORTS_INSIDE_FUNCTIONS "
        "in a commit that gives the reason"
    )


def test_modules_are_written_in_the_usual_way():
    for path in MODULES.values():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"TYPE_CHECKING = False|__import__\(", text), path
        assert not path.with_suffix(".pyi").exists(), path


def test_no_test_file_imports_from_another_one():
    found = {
        path.name: re.findall(r"^\s*(?:from|import) test_\w+", path.read_text(encoding="utf-8"), re.MULTILINE)
        for path in Path(__file__).parent.glob("*.py")
    }
    assert {name: lines for name, lines in found.items() if lines} == {}, "move what both need to support/"
