"""The verbs `cpaas sms send`, `cpaas otp send`, `cpaas otp verify` and `cpaas operations`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import cpaas

from .._generated.descriptions import DESCRIPTIONS
from .._generated.metadata import OPERATIONS_BY_ID
from .output import INVALID_PASSCODE, USAGE, print_result, printed
from .terminal import tell

SMS = "send an SMS: sms send --from Acme --to 306912345678 --text 'Your table is ready'"
OTP = (
    "send a passcode: otp send --service login --from Acme --to 306912345678 --body 'Your code is {code}'; "
    "`otp verify` needs the requestID of the result"
)
VERIFY = "verify a passcode: otp verify --service login --request-id OTP… --code 123456; exit code 7: invalid passcode"

# The code of a passcode that has not this id and service, for which the person who entered the code is not to blame.
UNKNOWN_PASSCODE = 404


def add(commands: Any, add_command: Callable[..., Any]) -> None:
    """Adds the verbs to the parser of the command."""

    def send_sms(options: Any) -> int:
        with cpaas.Client() as client:
            result = client.sms.send(
                from_=vars(options)["from"],
                to=options.to,
                text=options.text,
                reference=options.reference,
                callback=options.callback,
                test=options.test or None,
            )
        return print_result(options, result)

    def send_passcode(options: Any) -> int:
        with cpaas.Client() as client:
            result = client.otp.send(
                service=options.service,
                from_=vars(options)["from"],
                to=options.to,
                body=options.body,
                channel=options.channel,
            )
        return print_result(options, result)

    def verify(options: Any) -> int:
        with cpaas.Client() as client:
            result = client.otp.verify(
                service=options.service, request_id=options.request_id, code=options.code
            )
        print_result(options, result)
        if not result:
            tell(
                f"cpaas: {result.code_meaning}; check `--request-id` and `--service`"
                if result.code == UNKNOWN_PASSCODE
                else "cpaas: the passcode is wrong, expired, cancelled or already used"
            )
        return 0 if result else INVALID_PASSCODE

    def operations(options: Any) -> int:
        names = [name for name in OPERATIONS_BY_ID if name.startswith(options.prefix)]
        if not names:
            tell(f"cpaas: no operation begins with {options.prefix}; see `cpaas operations`")
            return USAGE
        if not printed(options, names):
            print("\n".join(names))
        return 0

    sms = commands.add_parser("sms", help="send an SMS").add_subparsers(required=True, metavar="verb")
    argument = add_command(sms, "send", SMS, send_sms)
    _strings(argument, "sms.send", "from", "to", "text")
    _strings(argument, "sms.send", "reference", "callback", required=False)
    argument("--test", action="store_true", help=_help("sms.send", "test"))
    otp = commands.add_parser("otp", help="send and verify passcodes")
    steps = otp.add_subparsers(required=True, metavar="step")
    argument = add_command(steps, "send", OTP, send_passcode)
    _strings(argument, "otp.send", "service", "from", "to", "body")
    argument("--channel", choices=["sms", "call"], help=_help("otp.send", "channel"))
    _strings(add_command(steps, "verify", VERIFY, verify), "otp.verify", "service", "requestId", "code")
    argument = add_command(commands, "operations", "list the operations of `cpaas call`", operations)
    argument("prefix", nargs="?", default="", help="list only operations that begin with this, such as otp")


def _strings(argument: Callable[..., Any], operation: str, *members: str, required: bool = True) -> None:
    for member in members:
        name = re.sub("([A-Z])", r"-\1", member).lower()
        argument(f"--{name}", required=required, metavar=name.upper(), help=_help(operation, member))


def _help(operation: str, member: str) -> str:
    return DESCRIPTIONS[operation][member].replace("%", "%%")
