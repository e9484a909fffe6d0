//! The HTTP client of the callbacks: no redirects, certificates verified, loopback only unless allowed.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use cpaas::tls::provider;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls_platform_verifier::Verifier;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::{Delivery, TargetResponse};
use crate::sandbox_state::Shared;

/// The maximum number of bytes kept of a response body.
const HEAD: usize = 512;

/// The reason of a refusal: the target is the sandbox itself.
const ITSELF: &str = "sandbox_itself";

/// The reason of a refusal: no TLS provider is enabled in `cpaas`.
const NO_TLS: &str = "no_tls_provider";

pub(crate) async fn send(shared: &Shared, delivery: &Delivery) -> TargetResponse {
    let limit = Duration::from_millis(shared.options.callback_timeout);
    match tokio::time::timeout(limit, attempt(shared, delivery)).await {
        Ok(Ok(response)) | Ok(Err(response)) => response,
        Err(_) => TargetResponse::Failed("timeout"),
    }
}

async fn attempt(shared: &Shared, delivery: &Delivery) -> Result<TargetResponse, TargetResponse> {
    let url = delivery.url.split('#').next().unwrap_or_default();
    let uri: hyper::Uri = url.parse().map_err(|_| TargetResponse::Refused("invalid_url"))?;
    let host = uri.host().ok_or(TargetResponse::Refused("invalid_url"))?.trim_matches(['[', ']']);
    let secure = match uri.scheme_str() {
        Some("http") => false,
        Some("https") => true,
        _ => return Err(TargetResponse::Refused("invalid_url")),
    };
    if secure && provider().is_none() {
        return Err(TargetResponse::Refused(NO_TLS));
    }
    let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
    let addresses = resolve(shared, host, port).await?;
    let tcp =
        TcpStream::connect(addresses.as_slice()).await.map_err(|_| TargetResponse::Failed("connect"))?;
    // A connection to an address of this machine has the same address at both ends.
    let (peer, local) = (tcp.peer_addr(), tcp.local_addr());
    let from = local.ok().map(|local| local.ip().to_canonical());
    if peer.is_ok_and(|peer| shared.is_own(peer, from)) {
        return Err(TargetResponse::Refused(ITSELF));
    }
    if !secure {
        return exchange(tcp, &uri, delivery).await;
    }
    let connector = shared
        .net
        .tls
        .get_or_init(async || connector(shared))
        .await
        .clone()
        .ok_or(TargetResponse::Failed("tls"))?;
    let name = ServerName::try_from(host.to_owned()).map_err(|_| TargetResponse::Refused("invalid_url"))?;
    let tls = connector.connect(name, tcp).await.map_err(|_| TargetResponse::Failed("tls"))?;
    exchange(tls, &uri, delivery).await
}

/// Resolves a host. Only loopback addresses are returned, unless the host is allowed by name.
async fn resolve(shared: &Shared, host: &str, port: u16) -> Result<Vec<SocketAddr>, TargetResponse> {
    let allowed = shared.options.callback_hosts.iter().any(|name| name.eq_ignore_ascii_case(host));
    let found = tokio::net::lookup_host((host, port)).await.map_err(|_| TargetResponse::Failed("dns"))?;
    let found: Vec<SocketAddr> = found.collect();
    if found.iter().any(|address| shared.is_own(*address, None)) {
        return Err(TargetResponse::Refused(ITSELF));
    }
    let addresses: Vec<_> =
        found.into_iter().filter(|address| allowed || address.ip().is_loopback()).collect();
    if addresses.is_empty() { Err(TargetResponse::Refused("host_not_allowed")) } else { Ok(addresses) }
}

async fn exchange<T>(
    stream: T,
    uri: &hyper::Uri,
    delivery: &Delivery,
) -> Result<TargetResponse, TargetResponse>
where
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let failed = |_| TargetResponse::Failed("closed");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
    let request = request(uri, delivery)?;
    let call = async move {
        let response = sender.send_request(request).await.map_err(failed)?;
        let status = response.status().as_u16();
        let body = Limited::new(response.into_body(), 64 * 1024).collect().await;
        let body = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        let head = String::from_utf8_lossy(body.get(..HEAD).unwrap_or(&body)).into_owned();
        Ok(TargetResponse::Status(status, head))
    };
    tokio::pin!(call);
    tokio::select! {
        response = &mut call => response,
        _ = connection => call.await,
    }
}

fn request(uri: &hyper::Uri, delivery: &Delivery) -> Result<hyper::Request<Full<Bytes>>, TargetResponse> {
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    // A URL without a path has its query right after the host.
    let target = if target.starts_with('/') { target.to_owned() } else { format!("/{target}") };
    let host = uri.authority().map_or("", |authority| authority.as_str());
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let mut builder = hyper::Request::builder()
        .method(delivery.method)
        .uri(target)
        .header("host", host)
        .header("user-agent", concat!("cpaas-sandbox/", env!("CARGO_PKG_VERSION")));
    if !delivery.content_type.is_empty() {
        builder = builder.header("content-type", delivery.content_type);
    }
    builder
        .body(Full::new(Bytes::from(delivery.body.clone())))
        .map_err(|_| TargetResponse::Refused("invalid_url"))
}

fn connector(shared: &Shared) -> Option<TlsConnector> {
    let provider = provider()?;
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().ok()?;
    let builder = match &shared.options.callback_ca {
        Some(path) => {
            let mut roots = rustls::RootCertStore::empty();
            for certificate in certificates(path)? {
                roots.add(certificate).ok()?;
            }
            builder.with_root_certificates(roots)
        }
        None => {
            let verifier = Arc::new(Verifier::new(provider).ok()?);
            builder.dangerous().with_custom_certificate_verifier(verifier)
        }
    };
    Some(TlsConnector::from(Arc::new(builder.with_no_client_auth())))
}

/// Certificates from a file, in PEM or DER form.
fn certificates(path: &Path) -> Option<Vec<CertificateDer<'static>>> {
    let bytes = std::fs::read(path).ok()?;
    if bytes.starts_with(b"-----") {
        return CertificateDer::pem_slice_iter(&bytes).collect::<Result<_, _>>().ok();
    }
    Some(vec![CertificateDer::from(bytes)])
}
