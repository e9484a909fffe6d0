"""The verbs `cpaas sms send` and `cpaas operations`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cpaas


def add(
    commands: Any, add_command: Callable[..., Any], show: Callable[..., int], show_list: Callable[..., bool]
) -> None:
    """Adds the verbs to the parser of the command."""

    def send(options: Any) -> int:
        with cpaas.Client() as client:
            result = client.sms.send(
                from_=vars(options)["from"], to=options.to, text=options.text, reference=options.reference
            )
        return show(options, result)

    def operations(options: Any) -> int:
        from ._metadata import OPERATIONS

        names = [row[0] for row in OPERATIONS]
        if not show_list(options, names):
            print("\n".join(names))
        return 0

    sms = commands.add_parser("sms", help="send SMS").add_subparsers(required=True, metavar="verb")
    argument = add_command(sms, "send", "send an SMS", send)
    for name in ("from", "to", "text"):
        argument(f"--{name}", required=True)
    argument("--reference")
    add_command(commands, "operations", "list the operations", operations)
