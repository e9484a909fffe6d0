//! A certificate authority for the tests, and a TLS server with a certificate of this authority.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cpaas_tests::examples::example;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

pub(crate) struct Authority {
    pub(crate) pem: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    /// Writes the certificate of the authority to a file.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        file(name, &self.pem)
    }

    /// The TLS configuration of a client that trusts only this authority.
    pub(crate) fn client_config(&self) -> rustls::ClientConfig {
        let mut roots = rustls::RootCertStore::empty();
        roots.add(self.issuer_certificate()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = rustls::ClientConfig::builder_with_provider(provider);
        builder
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth()
    }

    fn issuer_certificate(&self) -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(self.pem.as_bytes()).unwrap()
    }

    /// A server with a certificate of this authority for `name`; it closes after each response.
    pub(crate) fn server(&self, name: &str) -> Tls {
        Tls::start(self.certify(name), "connection: close\r\n")
    }

    /// The same, but the server keeps connections open.
    pub(crate) fn keeper(&self, name: &str) -> Tls {
        Tls::start(self.certify(name), "")
    }

    /// The TLS configuration of a server called `name`.
    pub(crate) fn certify(&self, name: &str) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        Arc::new(config)
    }
}

/// Writes a file into the directory of temporary files.
pub(crate) fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cpaas-{}-{name}.pem", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

/// Responds to every `sms.send` with success; counts connections and requests.
pub(crate) struct Tls {
    port: u16,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
}

impl Tls {
    fn start(config: Arc<ServerConfig>, header: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (connections, requests) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let counts = (Arc::clone(&connections), Arc::clone(&requests));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
                counts.0.fetch_add(1, Ordering::SeqCst);
                let mut stream = BufReader::new(StreamOwned::new(connection, stream.unwrap()));
                while serve(&mut stream, &counts.1, header).is_ok() && header.is_empty() {}
            }
        });
        Self { port, connections, requests }
    }

    pub(crate) fn url(&self) -> String {
        format!("https://localhost:{}", self.port)
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

/// Reads one request, counts it and responds.
fn serve<S: Read + Write>(
    stream: &mut BufReader<S>,
    count: &AtomicUsize,
    header: &str,
) -> std::io::Result<()> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    stream.read_exact(&mut vec![0; length])?;
    count.fetch_add(1, Ordering::SeqCst);
    let body = example("sms.send").response;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n{header}\r\n", body.len());
    let stream = stream.get_mut();
    stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())?;
    stream.flush()
}
