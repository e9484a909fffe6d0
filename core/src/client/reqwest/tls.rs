//! TLS by rustls: the provider, trust roots and protocols, and the errors of handshakes.

use std::error::Error as StdError;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use crate::client::certificate_errors;
use crate::client::connection_settings::CallerConfig;
use crate::error::Error;
use crate::tls::provider;

pub(crate) struct Tls(ClientConfig);

impl Tls {
    /// The configuration of the caller, else one with trust roots: those of `ca_bundle`, else those of the system (or
    /// `SSL_CERT_FILE` and `SSL_CERT_DIR`), else the bundled roots of Mozilla. If no address needs TLS, no roots are read.
    pub(crate) fn new(
        caller: Option<&CallerConfig>,
        ca_bundle: Option<&str>,
        needed: bool,
    ) -> Result<Self, Error> {
        let mut config = match (caller, ca_bundle) {
            (None, _) => own(ca_bundle, needed)?,
            (Some(caller), None) => ClientConfig::clone(caller),
            (Some(_), Some(_)) => {
                return Err(Error::config(
                    "expected either `ca_bundle` or `with_rustls_config`, got both: add the roots to the configuration of rustls",
                ));
            }
        };
        let protocols: &[&[u8]] =
            if cfg!(feature = "http2") { &[b"h2", b"http/1.1"] } else { &[b"http/1.1"] };
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        Ok(Self(config))
    }

    pub(crate) fn apply(&self, builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
        builder.tls_backend_preconfigured(self.0.clone())
    }
}

fn own(ca_bundle: Option<&str>, needed: bool) -> Result<ClientConfig, Error> {
    let roots = ca_bundle.map(certificates).transpose()?;
    let provider = provider().ok_or_else(|| {
        Error::config(
            "TLS has no provider in this build: use `Client::with_rustls_config`, or enable the feature `rustls-aws-lc` or `rustls-ring` of `cpaas`",
        )
    })?;
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
    Ok(builder.with_no_client_auth())
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

/// Whether an error is one of rustls.
pub(crate) fn is_error(source: &(dyn StdError + 'static)) -> bool {
    source.is::<rustls::Error>()
}

/// Whether the peer answered with something else than TLS, such as HTTP.
pub(crate) fn is_not_tls(source: &(dyn StdError + 'static)) -> bool {
    const NOT_TLS: rustls::Error = rustls::Error::InvalidMessage(rustls::InvalidMessage::InvalidContentType);
    source.downcast_ref() == Some(&NOT_TLS)
}

/// The description of an error of the server's certificate; `None` for every other error.
pub(crate) fn certificate_error(source: &(dyn StdError + 'static)) -> Option<&'static str> {
    match source.downcast_ref() {
        Some(rustls::Error::InvalidCertificate(error)) => Some(describe_certificate(error)),
        _ => None,
    }
}

const fn describe_certificate(error: &rustls::CertificateError) -> &'static str {
    use rustls::CertificateError as E;
    match error {
        E::Expired | E::ExpiredContext { .. } => certificate_errors::EXPIRED,
        E::NotValidYet | E::NotValidYetContext { .. } => certificate_errors::NOT_VALID_YET,
        E::UnknownIssuer => certificate_errors::UNKNOWN_ISSUER,
        E::NotValidForName | E::NotValidForNameContext { .. } => certificate_errors::OTHER_HOST,
        E::Revoked => certificate_errors::REVOKED,
        E::BadSignature => certificate_errors::SIGNATURE,
        E::BadEncoding => "it is not a valid X.509 certificate",
        E::InvalidPurpose | E::InvalidPurposeContext { .. } => certificate_errors::PURPOSE,
        _ => certificate_errors::INVALID,
    }
}
