"""Checks of senders and phone numbers.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from .. import _cpaas
from .._errors import Problem, bad_value
from .._public import public, public_methods
from .._records import Model


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class SenderCheck(Model):
    """The classification of a sender.

    Attributes:
        kind: "empty", "short_code", "numeric" or "alphanumeric".
        length: The number of digits of a number, otherwise of characters.
        septets: The length in septets; None if a character is outside of the default alphabet.
        has_plus: Whether the sender begins with `+`.
        charset: For each set of characters that a sender should not contain, their `count` and the position of the `first`.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("kind",)
    _fields = {
        "kind": ("kind", None),
        "length": ("length", None),
        "septets": ("septets", None),
        "has_plus": ("hasPlus", None),
        "charset": ("charset", None),
    }
    _shown = frozenset(_fields)

    kind: str
    length: int
    septets: int | None = None
    has_plus: bool
    charset: dict[str, Any]


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class NumberCheck(Model):
    """The result of checking a number against the numbering plans. It does not show whether a subscriber exists.

    Attributes:
        valid: Whether a numbering plan assigns the number.
        possible: Whether its length is that of a number; False for one that can be dialed only locally.
        region: The region (ISO 3166-1 alpha-2), or None.
        type: "fixed_line", "mobile", "fixed_line_or_mobile", "toll_free", "premium_rate", "shared_cost", "voip", "personal",
            "pager", "universal_access", "voicemail" or "unknown".
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("valid", "type")
    _fields = {name: (name, None) for name in ("valid", "possible", "region", "type")}
    _shown = frozenset(_fields)

    valid: bool
    possible: bool
    region: str | None = None
    type: str


@public
def check_sender(sender: str) -> SenderCheck:
    """Classifies a sender: its kind, its length, and the characters outside of the default alphabet.

    Args:
        sender: The sender: a phone number, a short code or a name.
    """
    return SenderCheck.from_dict(_cpaas.check_sender(sender))


@public
def check_number(number: str, region: str | None = None) -> NumberCheck:
    """Checks a number against the numbering plans. `possible` is False for a number that can be dialed only locally.

    Args:
        number: The number, in any notation that `normalize_number` accepts. Any other text is neither valid nor possible.
        region: The region (ISO 3166-1 alpha-2, such as "GR") in whose national form the number may be written.

    Raises:
        ValueError: The region is unknown.
    """
    return NumberCheck.from_dict(_cpaas.check_number(number, region))


@public
def normalize_number(number: str, region: str | None = None) -> str:
    """Returns a number in the form that is sent: the country code and the number, digits only.

    Args:
        number: The number, in any notation. Without a region it must begin with `+` or `00`, or be 7 to 15 digits without
            separators and without a leading 0. White space, marks of direction, `tel:`, separators, and after a country
            code `(0)` and a trunk prefix (`+44 07400 123456`), are removed; Arabic and full-width digits become ASCII digits.
        region: The region (ISO 3166-1 alpha-2, such as "GR") in whose national form the number may be written, such as
            "691 234 5678". None, the default, accepts numbers with a country code only, because with a guessed country the
            message could reach another person.

    Raises:
        cpaas.Invalid: The text is not such a number. `problems` has the problem `number.invalid` with the reason: `params["reason"]` is
            "empty", "character", "decimal", "national", "country_code", "length", "not_in_region" or "region". A number that is not assigned
            is not an error; see `check_number`.
    """
    found, failure = _cpaas.normalize_number(number, region)
    if found is not None:
        return found
    code, message = failure or ("character", "must be a phone number")
    problem = Problem(
        pointer="",
        code="number.invalid",
        severity="error",
        message=message,
        params={"reason": code},
        argument="region" if code == "region" else "number",
    )
    error = bad_value(f"{problem.argument}: {message}")
    error.problems = (problem,)
    raise error
