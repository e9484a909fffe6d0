"""An extension of Griffe: the comment above a member of a class becomes its documentation, if it has no docstring."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from griffe import Attribute, Docstring, Extension


class Comments(Extension):
    def on_attribute_instance(self, *, attr: Attribute, **_: Any) -> None:
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
