//! The TLS configuration: trust roots and protocols.

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, KeyProvider};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::SigningKey;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use crate::error::Error;

/// Loads no private keys, because client certificates are not supported. Without the code for signatures, the C library is
/// smaller.
#[derive(Debug)]
struct NoKeys;

impl KeyProvider for NoKeys {
    fn load_private_key(&self, _key: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, rustls::Error> {
        Err(rustls::Error::General("client certificates are not supported".to_owned()))
    }
}

fn ring() -> CryptoProvider {
    CryptoProvider { key_provider: &NoKeys, ..rustls::crypto::ring::default_provider() }
}

/// TLS with trust roots: those of `ca_bundle`, else those of the system (or `SSL_CERT_FILE` and `SSL_CERT_DIR`), else the
/// bundled roots of Mozilla. If no address needs TLS, no roots are read.
pub(crate) fn config(ca_bundle: Option<&str>, needed: bool) -> Result<ClientConfig, Error> {
    let roots = ca_bundle.map(certificates).transpose()?;
    // A provider that the program has chosen takes precedence.
    let provider = CryptoProvider::get_default().cloned();
    let provider = provider.unwrap_or_else(|| Arc::new(ring()));
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|_| Error::config("the TLS client could not be built"))?;
    let builder = match roots {
        Some(roots) => builder.with_root_certificates(roots),
        None if !needed => builder.with_root_certificates(RootCertStore::empty()),
        None => match Verifier::new(provider) {
            Ok(system) => builder.dangerous().with_custom_certificate_verifier(Arc::new(system)),
            Err(_) => builder.with_root_certificates(bundled()),
        },
    };
    let mut config = builder.with_no_client_auth();
    let protocols: &[&[u8]] = if cfg!(feature = "http2") { &[b"h2", b"http/1.1"] } else { &[b"http/1.1"] };
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    Ok(config)
}

fn certificates(path: &str) -> Result<RootCertStore, Error> {
    let unreadable = || Error::config("`ca_bundle` must be a readable file of PEM certificates");
    let pem = std::fs::read(path).map_err(|_| unreadable())?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        roots.add(certificate.map_err(|_| unreadable())?).map_err(|_| unreadable())?;
    }
    if roots.is_empty() { Err(unreadable()) } else { Ok(roots) }
}

fn bundled() -> RootCertStore {
    RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned())
}
