# Generated from the list of operations: `UPDATE=1 cargo test -p cpaas-tests` rewrites it.
"""Each operation: the members of its request, its arguments in the same order, the class of its answer."""

PLAN = (
    (
        "sms.send",
        ("from", "to", "text", "test", "type", "reference", "callback"),
        ("from_", "to", "text", "test", "type", "reference", "callback"),
        "Sent",
    ),
    (
        "messages.send",
        ("trafficAccountId", "destination", "sms", "messenger_a", "messenger_b", "messenger_c", "business_chat"),
        ("traffic_account_id", "destination", "sms", "messenger_a", "messenger_b", "messenger_c", "business_chat"),
        "Message",
    ),
)
