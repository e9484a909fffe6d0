"""Messages whose one-time code fills itself in.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from dataclasses import dataclass

from .. import _cpaas
from .._errors import Problem, problems
from .._public import public, public_methods
from .segments import text_error, value_or_raise


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AutofillCheck:
    """What a message fills in. The members are None if the message does not try to fill a code in.

    Attributes:
        host: The host of the page into which the code fills itself.
        embedded_host: The host of the frame in this page.
        code: The code of the line `@host #code`; `{code}` in the body of `otp.send`.
        app_hash: The hash of the Android app that receives the message.
        problems: Why it does not fill in, although it seems to be meant to.
    """

    __module__ = "cpaas"

    host: str | None = None
    embedded_host: str | None = None
    code: str | None = None
    app_hash: str | None = None
    problems: tuple[Problem, ...] = ()

    def __repr__(self) -> str:
        return f"AutofillCheck(host={self.host!r}, embedded_host={self.embedded_host!r}, code=…, app_hash={self.app_hash!r})"


@public
def autofill_body(
    text: str,
    *,
    host: str | None = None,
    embedded_host: str | None = None,
    code: str | None = None,
    app_hash: str | None = None,
) -> str:
    """Returns the text, followed by the line that fills its one-time code in, for `body` of `otp.send`.

    Args:
        text: The text that people read. White space at its end is removed.
        host: The host of the page that asks for the code, such as "shop.example".
        embedded_host: The host of the frame in this page that asks for the code, if it is in a frame of another site.
        code: The code of a message that your program sends itself. The default is `{code}`, which the provider replaces.
            It requires `host`.
        app_hash: The hash of your Android app (`app_hash`), for an app that uses SMS Retriever.

    Raises:
        cpaas.TextError: An argument is invalid, neither `host` nor `app_hash` is given, or a message with `app_hash` has more than 140 bytes.

    Example:
        >>> cpaas.autofill_body("{code} is your Acme code.", host="shop.example")
        '{code} is your Acme code.\\n\\n@shop.example #{code}'
    """
    options = {"host": host, "embeddedHost": embedded_host, "code": code, "appHash": app_hash}
    found = _cpaas.autofill_body(text, options)
    if "error" in found:
        message: str = found["error"]["message"]
        message = message.replace("embeddedHost", "embedded_host").replace("appHash", "app_hash")
        raise text_error(found["error"]["code"], message)
    body: str = found["body"]
    return body


@public
def check_autofill(message: str) -> AutofillCheck:
    """Returns what a message, or the `body` of `otp.send`, fills in, and what prevents it.

    The last line of the message is read by the rules of "Origin-bound one-time codes delivered via SMS" (WICG).

    Args:
        message: The text of the message.

    Example:
        >>> cpaas.check_autofill("747723 is your code.\\n\\n@shop.example #747723").host
        'shop.example'
    """
    found = _cpaas.check_autofill(message)
    return AutofillCheck(
        host=found["host"],
        embedded_host=found["embeddedHost"],
        code=found["code"],
        app_hash=found["appHash"],
        problems=problems(found["problems"]),
    )


@public
def app_hash(package: str, certificate: bytes) -> str:
    """Returns the hash of an Android app, by which SMS Retriever finds the app of a message.

    Args:
        package: The name of the package, such as "com.example.shop".
        certificate: The certificate that signs the app, in DER, as `keytool -exportcert` writes it. With Play App Signing, it is the
            app signing certificate of Google Play.

    Raises:
        cpaas.TextError: The package or the certificate is invalid.
    """
    found: str = value_or_raise(_cpaas.app_hash(package, certificate))["hash"]
    return found
