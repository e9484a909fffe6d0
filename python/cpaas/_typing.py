"""Names of `typing` that Python 3.10 does not have. There, annotations with them can still be evaluated."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self as Self
    from typing_extensions import Unpack as Unpack
elif sys.version_info >= (3, 11):
    from typing import Self as Self
    from typing import Unpack as Unpack
else:
    Self = Any
    Unpack = dict
