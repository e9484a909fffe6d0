"""The pages of the Python reference, from the public names of the package. Nothing is imported: the sources are only parsed."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from repository import ROOT

PACKAGE = ROOT / "python" / "cpaas"

# The names of `cpaas` by the modules that define them.
SUBJECTS = {
    "Clients": ("_client", "_async_client", "_guard", "_suppression", "_events"),
    "Exceptions and validation": ("_errors", "_validation"),
    "Text and numbers": (
        "_text.segments",
        "_cpaas",
        "_text.encoding",
        "_text.phone_numbers",
        "_text.markup",
        "_text.autofill",
    ),
    "Many messages": (
        "_bulk.send_many",
        "_campaign.campaign",
        "_campaign.records",
        "_generated.campaign_settings",
    ),
    "The sandbox": ("_sandbox.sandbox", "_sandbox.inbox"),
}
OPERATIONS = "_generated/operations.py"
# These classes, and the groups of operations, have private base classes: the members of the bases are listed with the class.
WITH_PRIVATE_BASES = {"AsyncClient", "AsyncSandbox", "Campaign", "Client", "Sandbox"}
WHOLE: dict[str, object] = {"inherited_members": True, "show_bases": False}
# A program reaches a group through its client: neither the name nor the constructor of its class matters.
GROUP = {
    **WHOLE,
    "merge_init_into_class": False,
    "show_symbol_type_heading": False,
    "show_symbol_type_toc": False,
}


@dataclass
class Page:
    title: str
    text: str

    @property
    def name(self) -> str:
        return (
            f"python-api/{self.title.removeprefix('cpaas.').lower().replace(' ', '-').replace('.', '-')}.md"
        )


def pages() -> list[Page]:
    clients, *others = subject_pages()
    return [clients, operations_page(), *others, *map(module_page, module_names())]


def tree(file: str) -> ast.Module:
    return ast.parse((PACKAGE / file).read_text(encoding="utf-8"))


def constant(module: ast.Module, name: str) -> object:
    """The value of a constant at the top of a module, or None."""
    for node in module.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == name
        ):
            return ast.literal_eval(node.value)
    return None


def subject_pages() -> list[Page]:
    names = constant(tree("__init__.py"), "_NAMES")
    assert isinstance(names, dict)
    known = [module for modules in SUBJECTS.values() for module in modules]
    missing = sorted(set(names.values()) - set(known))
    assert not missing, f"docs/mkdocs/python_api.py: SUBJECTS has no subject for {missing}"
    order = sorted(names, key=lambda name: (known.index(names[name]), name.islower(), name))
    entries = {
        name: entry(f"cpaas.{name}", **(WHOLE if name in WITH_PRIVATE_BASES else {})) for name in order
    }
    return [
        Page(title, heading(title) + "".join(entries[name] for name in order if names[name] in modules))
        for title, modules in SUBJECTS.items()
    ]


def operations_page() -> Page:
    """The methods of the groups, such as `client.sms`, in the order of their expressions."""
    groups = {}
    for node in tree(OPERATIONS).body:
        if isinstance(node, ast.ClassDef):
            path = constant(ast.Module(node.body, []), "_path")
            if isinstance(path, str):
                groups[path] = node.name
    text = heading("Operations") + (
        "The methods of a `cpaas.Client`. Those of a `cpaas.AsyncClient` have the same arguments and results, and are awaited.\n\n"
    )
    for path, name in sorted(groups.items()):
        text += entry(f"cpaas._generated.operations.{name}", heading=path, toc_label=path, **GROUP)
    return Page("Operations", text)


def module_names() -> list[str]:
    """The public modules, such as `callbacks` and `contrib.django`."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if parts and not any(part.startswith("_") for part in parts) and public_names(".".join(parts)):
            found.append(".".join(parts))
    # The files of a package that lists its names are parts of it.
    return [
        name for name in found if not any(name.startswith(f"{other}.") and listed(other) for other in found)
    ]


def module_tree(name: str) -> ast.Module:
    path = name.replace(".", "/")
    return tree(f"{path}/__init__.py" if (PACKAGE / path).is_dir() else f"{path}.py")


def listed(name: str) -> bool:
    return constant(module_tree(name), "__all__") is not None


def public_names(name: str) -> list[str]:
    """The names of `__all__`; else the public functions and classes that the module defines, and the constants."""
    module = module_tree(name)
    names = constant(module, "__all__")
    if isinstance(names, list | tuple):
        return [str(entry) for entry in names]
    found = []
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            goal = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            found += [goal.id] if isinstance(goal, ast.Name) else []
        elif isinstance(node, ast.ImportFrom):
            found += [alias.name for alias in node.names if alias.asname == alias.name]
    return [entry for entry in found if not entry.startswith("_")]


def module_page(name: str) -> Page:
    path = f"cpaas.{name}"
    text = heading(path) + entry(path, members=False, show_root_heading=False, show_root_toc_entry=False)
    return Page(path, text + "".join(entry(f"{path}.{member}") for member in public_names(name)))


def heading(title: str) -> str:
    return f"# {title}\n\n"


def entry(path: str, **options: object) -> str:
    lines = "".join(
        f"        {name}: {str(value).lower() if isinstance(value, bool) else value}\n"
        for name, value in options.items()
    )
    return f"::: {path}\n" + (f"    options:\n{lines}" if lines else "") + "\n"
