"""The codes of the OTP operations that the specification documents: `error.code == cpaas.codes.LIMIT_EXISTS`.

`docs/provider-codes.md` lists all known codes. The others are assumptions of the sandbox, so they have no constants; the truth value of
a verification shows whether a passcode is valid, whatever its code is.
"""

from __future__ import annotations

from ._generated.provider_codes import LIMIT_EXISTS as LIMIT_EXISTS
from ._generated.provider_codes import UNKNOWN_LIMIT as UNKNOWN_LIMIT
from ._generated.provider_codes import UNKNOWN_WORKFLOW as UNKNOWN_WORKFLOW
from ._generated.provider_codes import WORKFLOW_EXISTS as WORKFLOW_EXISTS

__all__ = ["LIMIT_EXISTS", "UNKNOWN_LIMIT", "UNKNOWN_WORKFLOW", "WORKFLOW_EXISTS"]
