//! Accepts connections up to the limit and serves the router on each of them.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::fault_socket::{Cut, FaultHandle, FaultSocket};
use crate::options::Options;
use crate::origin_check::Ends;
use crate::provider_error::ProviderError;
use crate::sandbox_state::Shared;

/// The maximum number of connections beyond the limit that get a 503; further ones are closed at once.
const REJECTIONS: usize = 64;

/// The connection of a request, for its handler.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    pub(crate) ends: Ends,
    pub(crate) faults: Arc<FaultHandle>,
}

/// Accepts connections until its task is aborted; the connections end with it.
pub(crate) async fn listen(listener: TcpListener, shared: Arc<Shared>, router: Router) {
    let permits = Arc::new(Semaphore::new(shared.options.connections));
    let rejections = Arc::new(Semaphore::new(REJECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let (tcp, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // No file descriptor is free, or the peer closed the connection first.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    continue;
                }
            },
            Some(_) = connections.join_next() => continue,
        };
        let shared = Arc::clone(&shared);
        if let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
            let router = router.clone();
            connections.spawn(async move {
                serve(tcp, peer, shared, router).await;
                drop(permit);
            });
        } else if let Ok(permit) = Arc::clone(&rejections).try_acquire_owned() {
            connections.spawn(async move {
                reject(tcp, &shared.options).await;
                drop(permit);
            });
        }
    }
}

async fn serve(tcp: TcpStream, peer: SocketAddr, shared: Arc<Shared>, router: Router) {
    let faults = Arc::new(FaultHandle::default());
    let ends = Ends { peer, local: tcp.local_addr().ok() };
    let connection = Connection { ends, faults: Arc::clone(&faults) };
    let router = TowerToHyperService::new(router);
    let options = Arc::clone(&shared);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let (shared, router, connection) = (Arc::clone(&shared), router.clone(), connection.clone());
        async move {
            if let Err(error) =
                crate::origin_check::admit(&shared.options, ends, request.uri(), request.headers())
            {
                return Ok(error.into_response());
            }
            let mut request: Request = request.map(Body::new);
            request.extensions_mut().insert(connection);
            let response = router.call(request).await.unwrap_or_else(|never: Infallible| match never {});
            // hyper closes the connection after an error of its service.
            if response.extensions().get::<Cut>().is_some() { Err(Cut) } else { Ok(response) }
        }
    });
    run(tcp, faults, &options.options, true, service).await;
}

/// Responds to one request with 503.
async fn reject(tcp: TcpStream, options: &Options) {
    let most = options.connections;
    let service = service_fn(move |_: hyper::Request<Incoming>| async move {
        let message =
            format!("at most {most} connections at a time: close one, or raise --connections [sandbox]");
        Ok::<Response, Infallible>(ProviderError::plain(503, message).retry_after(1).into_response())
    });
    run(tcp, Arc::default(), options, false, service).await;
}

async fn run<S>(tcp: TcpStream, faults: Arc<FaultHandle>, options: &Options, keep_alive: bool, service: S)
where
    S: Service<hyper::Request<Incoming>, Response = Response>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    S::Future: 'static,
{
    let _ = tcp.set_nodelay(true);
    let socket = TokioIo::new(FaultSocket::new(tcp, faults, Duration::from_millis(options.write_timeout)));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_millis(options.head_timeout))
        .keep_alive(keep_alive);
    // An error means that the peer closed the connection, a timeout or an injected fault.
    let _ = builder.serve_connection(socket, service).await;
}
