//! Listens, reads requests and hands them on.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::fault_socket::{Line, Socket};
use crate::guard::Ends;
use crate::reply::Content;
use crate::shared::Shared;

/// The connection ends here, without an answer.
#[derive(Debug)]
pub(crate) struct Cut;

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the connection was cut on purpose")
    }
}

impl std::error::Error for Cut {}

impl From<Infallible> for Cut {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Accepts connections until its task is aborted; the connections end with it.
pub(crate) async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((tcp, peer)) => { connections.spawn(connection(tcp, peer, Arc::clone(&shared))); }
                // Out of descriptors, or the peer went away first.
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn connection(tcp: TcpStream, peer: SocketAddr, shared: Arc<Shared>) {
    let _ = tcp.set_nodelay(true);
    let ends = Ends { peer, local: tcp.local_addr().ok() };
    let line = Arc::new(Line::default());
    let socket = TokioIo::new(Socket::new(tcp, Arc::clone(&line)));
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let (shared, line) = (Arc::clone(&shared), Arc::clone(&line));
        async move { answer(shared, line, ends, request).await }
    });
    // An error here is a peer that went away or a fault that was asked for.
    let _ = http1::Builder::new().header_read_timeout(None).serve_connection(socket, service).await;
}

async fn answer(
    shared: Arc<Shared>,
    line: Arc<Line>,
    ends: Ends,
    request: hyper::Request<Incoming>,
) -> Result<hyper::Response<Content>, Cut> {
    if let Err(refusal) = crate::guard::admit(&shared.options, ends, request.uri(), request.headers()) {
        return Ok(refusal.reply(None, &shared.options).into_http());
    }
    let cors = shared.options.cors.clone();
    let path = request.uri().path();
    let preflight = cors.is_some() && request.method() == hyper::Method::OPTIONS;
    let mut reply = if preflight {
        crate::cors::preflight()
    } else if path.starts_with("/_sandbox") || !crate::exchange::is_provider(path) {
        crate::control::answer(&shared, request).await
    } else {
        crate::exchange::answer(&shared, &line, ends.peer, request).await?
    };
    if let Some(origin) = &cors {
        crate::cors::allow(&mut reply, origin);
    }
    Ok(reply.into_http())
}
