"""The meanings of the provider's codes."""

from __future__ import annotations

from typing import NamedTuple

from ._provider_code_table import PROVIDER_CODES
from ._public import public


class ProviderCode(NamedTuple):
    """A code of the provider.

    Attributes:
        family: The family of the operation, or "report" for the error codes of delivery reports.
        code: The code.
        meaning: The meaning of the code.
        advice: The advice for the caller.
        source: "specification", or the assumption of the sandbox, such as "D27".
    """

    family: str
    code: int
    meaning: str
    advice: str
    source: str


ProviderCode.__module__ = "cpaas"


@public
def provider_code(family: str, code: int) -> ProviderCode | None:
    """Returns the meaning of a code of the provider, or None if the table of `docs/provider-codes.md` does not have the code.

    Args:
        family: "otp", "sms", "lookup", "messaging", "messenger_b", "messenger_c", or "report" for the error codes of
            delivery reports.
        code: The code, such as the `code` of an exception.
    """
    if not isinstance(family, str) or not isinstance(code, int):
        from ._arguments import wrong_type

        raise wrong_type(*(("code", "int", code) if isinstance(family, str) else ("family", "str", family)))
    row = PROVIDER_CODES.get((family, code))
    return None if row is None else ProviderCode(family, code, *row)


def of_operation(operation: str, code: int) -> ProviderCode | None:
    """Returns the meaning of a code in the response to an operation, such as `webhooks.messenger_b.set`."""
    group, _, rest = operation.partition(".")
    families = {"messages": "messaging", "webhooks": rest.partition(".")[0]}
    return provider_code(families.get(group, group), code)
