"""Names that annotations use, and whose definitions need the module `typing`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, get_type_hints

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack

    from ._client import Base
    from ._settings import Options as Options
else:
    try:
        from typing import Unpack
    except ImportError:  # Python 3.10
        try:
            from typing_extensions import Unpack
        except ImportError:

            class Unpack:
                def __class_getitem__(cls, item):
                    return item

    from typing import TypedDict

    from ._client import Base
    from ._settings import Settings

    Options = TypedDict(
        "Options",
        {name: hint for name, hint in get_type_hints(Settings.__init__).items() if name != "return"},
        total=False,
    )

Self = TypeVar("Self", bound=Base)
