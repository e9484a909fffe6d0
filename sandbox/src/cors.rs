//! Calls from a browser page, off unless `--cors` names its origin.

use crate::reply::Reply;

pub(crate) fn preflight() -> Reply {
    Reply::new(204, "", "")
        .header("access-control-allow-methods", "GET, POST, PUT, DELETE")
        .header(
            "access-control-allow-headers",
            "authorization, content-type, x-service-api-key, x-channel-auth-token, x-sandbox-fault",
        )
        .header("access-control-max-age", "600")
}

pub(crate) fn allow(reply: &mut Reply, origin: &str) {
    reply.headers.push(("access-control-allow-origin", origin.to_owned()));
    reply.headers.push(("access-control-expose-headers", "x-sandbox-assumed, retry-after".to_owned()));
    reply.headers.push(("vary", "origin".to_owned()));
}
