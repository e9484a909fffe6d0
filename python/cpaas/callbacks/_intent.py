"""What inbound messages ask for.

`Intent` names the module that users import, so its annotations are no strings: `typing.get_type_hints` would evaluate them there.
"""

from typing import Literal, NamedTuple, TypeAlias

from .. import _cpaas
from .._public import public

IntentKind: TypeAlias = Literal["stop", "start", "help", "none"]
Certainty: TypeAlias = Literal["certain", "likely"]


class Intent(NamedTuple):
    """What an inbound message asks for.

    Attributes:
        kind: `stop`, `start`, `help` or `none`.
        certainty: `certain` for the words of the regulation and of carriers, and for words that mean only this in their
            language; `likely` for phrases, polite forms and words with other meanings. It is always `certain` for `none`, which
            means only that the message was not recognized.
    """

    kind: IntentKind
    certainty: Certainty


Intent.__module__ = "cpaas.callbacks"


@public
def intent(text: str) -> Intent:
    """Returns what an inbound message asks for. Case, punctuation, emoji, white space and `RE:` before the text do not matter.

    A person may ask to stop in words that this function does not know, for which the kind is `none`: let somebody read the
    messages that remain. "Yes" is `start` and `likely`, because it may answer a question: remove an opt-out only if `start` is
    `certain`.

    Args:
        text: The text of the message.

    Raises:
        cpaas.InvalidType: if the text is not a `str`.

    Example:
        >>> from cpaas import callbacks
        >>> callbacks.intent(" Stop! ").kind
        'stop'
        >>> callbacks.intent("please stop texting me")
        Intent(kind='stop', certainty='likely')
    """
    return Intent(**_cpaas.intent(text))
