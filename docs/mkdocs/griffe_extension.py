"""An extension of Griffe, which parses the Python package, for two habits of the package."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from griffe import Attribute, Class, Docstring, Extension


class Members(Extension):
    def on_attribute_instance(self, *, attr: Attribute, **_: Any) -> None:
        """The comment above a member of a class becomes its documentation, if it has no docstring."""
        in_class = attr.parent is not None and attr.parent.is_class
        if attr.docstring is not None or not in_class or not isinstance(attr.filepath, Path):
            return
        lines = attr.lines_collection[attr.filepath]
        first = last = (attr.lineno or 1) - 1
        while first > 0 and lines[first - 1].lstrip().startswith("# "):
            first -= 1
        if first < last:
            text = " ".join(line.strip().removeprefix("# ") for line in lines[first:last])
            attr.docstring = Docstring(text, lineno=first + 1, endlineno=last, parent=attr)

    def on_class_members(self, *, node: Any, cls: Class, **_: Any) -> None:
        """Leaves out what type checkers do not see either: `if not TYPE_CHECKING` replaces documented members of a base class."""
        for statement in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(statement, ast.If) and ast.unparse(statement.test) == "not TYPE_CHECKING":
                for name in [part.name for part in statement.body if isinstance(part, ast.FunctionDef)]:
                    if name in cls.members:
                        cls.del_member(name)
