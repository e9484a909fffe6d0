//! Named fault rules for common failures of a provider, for the inbox page and for tests.

use serde_json::{Value, json};

fn preset(name: &str, help: &str, rule: Value) -> Value {
    json!({"name": name, "help": help, "rules": [rule]})
}

pub(super) fn all() -> Vec<Value> {
    vec![
        preset(
            "Provider down",
            "Every call is rejected with 503; nothing is accepted.",
            json!({"kind": "status", "status": 503}),
        ),
        preset(
            "One call in five fails",
            "20 % of the calls are rejected with 500.",
            json!({"kind": "status", "status": 500, "probability": 0.2}),
        ),
        preset(
            "Too many requests, once",
            "The next call is rejected with 429 and Retry-After: 2.",
            json!({"kind": "status", "status": 429, "retry_after": 2, "expires": 1}),
        ),
        preset(
            "Slow provider",
            "Each response comes 3 seconds late.",
            json!({"kind": "latency", "ms": 3_000}),
        ),
        preset(
            "Lost response",
            "The message is accepted, then the connection is reset before the response.",
            json!({"kind": "reset-after-read"}),
        ),
        preset(
            "Accepted, but 503",
            "The message is accepted; a proxy responds with 503 and Retry-After: 1.",
            json!({"kind": "accept-then-503-retry-after"}),
        ),
        preset(
            "Gateway timeout",
            "The message is accepted; the gateway responds with 504.",
            json!({"kind": "accept-then-gateway", "gateway": "aws"}),
        ),
        preset(
            "No connection",
            "The connection is reset before the request is read; nothing is accepted.",
            json!({"kind": "reset-before-read"}),
        ),
        preset(
            "Cut response",
            "The message is accepted; the body of the response ends early.",
            json!({"kind": "truncated-body"}),
        ),
    ]
}
