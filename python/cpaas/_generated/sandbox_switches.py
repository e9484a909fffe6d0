# Generated from the switches in `sandbox/src/options.rs`: `cargo run -p codegen` rewrites it.
"""The switches of a sandbox as keyword arguments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, TypedDict


class Switches(TypedDict, total=False):
    """The arguments of `cpaas.Sandbox`: the switches of `cpaas sandbox`, with `_` for `-`."""

    # port to listen on; 0 selects a free port (default)
    port: int
    # address to listen on (default 127.0.0.1)
    bind: str
    # whether the accounts' clocks follow real time (default real)
    clock: Literal["real", "virtual"]
    # makes ids, keys, codes and faults the same in each run
    seed: int
    # HTTP status of OTP errors (D01)
    otp_error_status: Literal["mirror", "semantic", "always200"]
    # HTTP status of a non-zero responseCode (D28)
    b_status: Literal["mirror", "always200"]
    # lifetime of a passcode (D05, default 600s)
    otp_ttl: str
    # maximum number of checks of a passcode; further ones get 429 (D07)
    otp_max_checks: int
    # how otp.send treats an unknown limit name (D16)
    unknown_limit: Literal["refuse", "ignore"]
    # number of the first page (D19)
    first_page: Literal[0, 1]
    # enables conversion tracking (D33)
    conversion: bool
    # maximum number of requests in a time, such as 100/s (D50)
    rate: str
    # authentication of messages.* and webhooks.* (D25)
    messaging_auth: Literal["optional", "header", "basic", "none"]
    # allowed source addresses; may be repeated (D24)
    allow_ip: str | Sequence[str]
    # responses that depend on an assumption (all, or those listed) become 501
    strict: bool | str | Sequence[str]
    # a name besides loopback that is allowed in the Host header; may be repeated
    allow_host: str | Sequence[str]
    # allows browser pages of this origin to call the sandbox
    cors: str
    # serves a folder at /composer
    composer: str | os.PathLike[str]
    # maximum number of accepted messages; further ones get 507
    ledger_limit: int
    # keeps the ledger in a file instead of memory; the file is emptied at start
    db: str | os.PathLike[str]
    # a host besides loopback that callbacks may reach; may be repeated
    allow_callback_host: str | Sequence[str]
    # root certificate for callbacks over TLS, in DER or PEM form
    callback_ca: str | os.PathLike[str]
    # time limit of a callback, in real time (D37, default 15s)
    callback_timeout: str
    # messages kept for the inbox (default 10000)
    messages: int
    # requests, events and attempts kept (default 1000)
    requests: int
    # maximum size of the messages, requests, events, attempts and passcodes kept by an account
    # (default 64MiB)
    memory: int | str
    # connections at a time; further ones get 503 (default 512)
    connections: int
    # time limit for the head of a request, in real time (default 10s)
    head_timeout: str
    # time limit for a peer that does not read a response, in real time (default 10s)
    write_timeout: str
    # time limit for the body of a request, in real time (default 60s)
    body_timeout: str
    # maximum number of accounts; further ones get 507 (default 1000)
    accounts: int
    # time from one delivery status to the next (default 200ms)
    delivery: str
