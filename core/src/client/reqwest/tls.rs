use std::sync::Arc;

use crate::error::Error;

/// Builds the client with its trust roots: those of `ca_bundle`; else the system's, or those of
/// `SSL_CERT_FILE` and `SSL_CERT_DIR`; else, where the system has none, the bundled ones of Mozilla.
/// Without an address that needs TLS, none are read.
pub(crate) fn build(
    builder: impl Fn() -> reqwest::ClientBuilder,
    ca_bundle: Option<&str>,
    needed: bool,
) -> Result<reqwest::Client, Error> {
    // Fails when the program has chosen a provider already, which is then used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let failed = |_| Error::config("the HTTP client cannot be built");
    if let Some(path) = ca_bundle {
        return builder().tls_certs_only(certificates(path)?).build().map_err(failed);
    }
    if !needed {
        return builder().tls_certs_only(std::iter::empty()).build().map_err(failed);
    }
    builder().build().or_else(|_| builder().tls_backend_preconfigured(bundled()?).build().map_err(failed))
}

fn certificates(path: &str) -> Result<Vec<reqwest::Certificate>, Error> {
    let unreadable = || Error::config("`ca_bundle` is no readable file of PEM certificates");
    let pem = std::fs::read(path).map_err(|_| unreadable())?;
    let certificates = reqwest::Certificate::from_pem_bundle(&pem).map_err(|_| unreadable())?;
    if certificates.is_empty() { Err(unreadable()) } else { Ok(certificates) }
}

fn bundled() -> Result<rustls::ClientConfig, Error> {
    let roots = rustls::RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|_| Error::config("the TLS client cannot be built"))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
