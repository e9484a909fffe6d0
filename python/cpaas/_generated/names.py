# Generated from the enums and tables that `codegen/src/python/names.rs` lists: `cargo run -p codegen` rewrites it.
"""The closed sets of names."""

from __future__ import annotations

from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal[
    "invalid",
    "rejected",
    "not_sent",
    "unknown",
    "accepted_id_unknown",
]
"""The outcome of a call that was not accepted."""

SentState: TypeAlias = Literal[
    "no",
    "maybe",
    "yes",
]
"""Whether a request reached the provider, or took effect there."""

Reason: TypeAlias = Literal[
    "validation",
    "config",
    "dns",
    "connect",
    "tls",
    "proxy",
    "timeout",
    "deadline",
    "reset",
    "http",
    "decode",
    "cancelled",
    "mismatch",
    "too_large",
    "runtime",
    "resources",
    "not_verified",
    "closed",
    "interrupted",
    "other",
]
"""The cause of an error of a call. "other" stands for a reason that a newer version stored;
`reason_name` is its name."""

CampaignReason: TypeAlias = Literal[
    "open",
    "no_journal",
    "newer_version",
    "copied",
    "taken_over",
    "restored_copy",
    "suppression_store",
    "in_use",
    "read_only",
    "not_private",
    "not_erased",
    "not_a_journal",
    "unlocked",
    "backup",
    "keys_lost",
    "mounted_file",
    "full",
    "network_file_system",
    "disk_full",
    "disk",
    "journal",
    "replaced",
    "forked",
    "mixed_tables",
    "damaged",
    "no_campaign",
    "name_taken",
    "state",
    "lost_commits",
    "purged",
    "source",
    "item",
    "setting",
    "key_reused",
    "other_provider",
    "random",
    "task",
    "halted",
]
"""The cause of a `CampaignError`."""

CampaignState: TypeAlias = Literal[
    "creating",
    "created",
    "running",
    "stopped",
    "paused",
    "halted",
    "cancelled",
    "done",
]
"""The state of a campaign."""

StopReason: TypeAlias = Literal[
    "setup",
    "max_spend",
    "outage",
    "lost_commits",
    "lost_commits_acknowledged",
    "restored",
]
"""Why a campaign halted, or was cancelled by a restore."""

RowOutcome: TypeAlias = Literal[
    "accepted",
    "rejected",
    "invalid",
    "suppressed",
    "duplicate",
    "unknown",
    "pending",
    "in_flight",
    "cancelled",
]
"""The outcome of a row of a campaign."""

TestOutcome: TypeAlias = Literal[
    "accepted",
    "rejected",
    "invalid",
    "not_sent",
    "suppressed",
    "unknown",
]
"""The outcome of a message of `Campaign.test`."""

RowReason: TypeAlias = Literal[
    "setup",
    "provider_5xx",
    "throttled",
    "paused",
    "halted",
    "window",
    "outage",
    "stale",
    "stopped",
    "not_begun",
    "suppressed",
    "duplicate",
    "cancelled",
    "not_marked",
    "not_recorded",
    "restored",
]
"""The first word of the `reason` of a row, if it is neither a `Reason` nor the code of a problem. A
status or a code of the provider, or the position of a recipient, may follow it."""

ElementOutcome: TypeAlias = Literal[
    "accepted",
    "rejected",
    "missing",
]
"""The outcome of an element of a bulk call."""

RejectionReason: TypeAlias = Literal[
    "absent",
    "malformed",
    "unknown_key",
    "altered",
    "expired",
    "not_yet_valid",
    "other_purpose",
    "other_audience",
    "other_reference",
    "method",
    "endpoint",
    "body",
]
"""Why a callback is rejected, for the log only."""

TextErrorCode: TypeAlias = Literal[
    "text.app_certificate",
    "text.app_package",
    "text.autofill_app_hash",
    "text.autofill_bytes",
    "text.autofill_code",
    "text.autofill_embedded_host",
    "text.autofill_host",
    "text.autofill_target",
    "text.no_graphemes",
    "text.no_national",
    "text.no_price",
    "text.not_gsm7",
    "text.options",
    "text.parts_over_255",
    "text.price",
    "text.prices",
    "text.recipients",
    "text.template",
    "text.user_data",
]
"""The code of a `TextError`."""

MarkupErrorKind: TypeAlias = Literal[
    "unclosed_entity",
    "reserved_character",
    "unclosed_url",
    "custom_emoji",
    "unsupported_tag",
    "unclosed_tag",
    "unmatched_end_tag",
    "unexpected_end_tag",
    "attribute",
    "span_class",
    "invalid_unicode",
    "date_format",
    "too_long",
    "empty",
]
"""The kind of a `MarkupError`."""
