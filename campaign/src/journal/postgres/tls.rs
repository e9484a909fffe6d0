//! TLS to the server. `sslmode` and `sslrootcert` in the address have the same meaning as in libpq.
//!
//! | `sslmode` | Encrypted | Certificate |
//! |---|---|---|
//! | `disable` | no | |
//! | `prefer` (default) | if the server can | not verified |
//! | `require` | yes | not verified; if `sslrootcert` is set, as for `verify-ca` |
//! | `verify-ca` | yes | verified by `sslrootcert`, or by the roots of the system |
//! | `verify-full` | yes | as for `verify-ca`, and must contain the name of the host |

use std::sync::Arc;
use std::time::Duration;

use cpaas::tls::provider;
use percent_encoding::percent_decode_str;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use rustls_platform_verifier::Verifier;
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{Error, Result};

/// What is verified about the certificate of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verified {
    Nothing,
    Chain,
    ChainAndHost,
}

/// Reads the settings of the connection and of its TLS from an address.
///
/// With `sslmode=disable`, there is no TLS, and no provider is needed.
pub(super) fn connection(url: &str) -> Result<(tokio_postgres::Config, Option<MakeRustlsConnect>)> {
    let (rest, mode, root) = split(url);
    let mut config: tokio_postgres::Config = rest.parse().map_err(|_| {
        Error::Setting("the address of the journal must be postgres://user@host:port/database".to_owned())
    })?;
    let (mode, mut verified) = match mode.as_deref() {
        Some("disable") => (SslMode::Disable, Verified::Nothing),
        None | Some("prefer" | "allow") => (SslMode::Prefer, Verified::Nothing),
        Some("require") => (SslMode::Require, Verified::Nothing),
        Some("verify-ca") => (SslMode::Require, Verified::Chain),
        Some("verify-full") => (SslMode::Require, Verified::ChainAndHost),
        Some(_) => {
            let message = "sslmode must be disable, prefer, require, verify-ca or verify-full";
            return Err(Error::Setting(message.to_owned()));
        }
    };
    config.ssl_mode(mode);
    limit_silence(&mut config);
    let root = root.filter(|root| root != "system");
    if root.is_some() && mode == SslMode::Require && verified == Verified::Nothing {
        verified = Verified::Chain;
    }
    let root = root.filter(|_| verified != Verified::Nothing);
    if mode == SslMode::Disable {
        return Ok((config, None));
    }
    Ok((config, Some(MakeRustlsConnect::new(client(verified, root.as_deref())?))))
}

/// Closes the connection after 30 s without a response of the server, unless the address sets other limits.
fn limit_silence(config: &mut tokio_postgres::Config) {
    const SILENCE: Duration = Duration::from_secs(30);
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(SILENCE);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENCE).keepalives_idle(SILENCE);
    }
}

/// The address without `sslmode` and `sslrootcert`, then the values of these two.
fn split(url: &str) -> (String, Option<String>, Option<String>) {
    let (front, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut mode, mut root, mut others) = (None, None, Vec::new());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = || Some(percent_decode_str(value).decode_utf8_lossy().into_owned());
        match name {
            "sslmode" => mode = value(),
            "sslrootcert" => root = value(),
            _ => others.push(pair),
        }
    }
    let rest = if others.is_empty() { front.to_owned() } else { format!("{front}?{}", others.join("&")) };
    (rest, mode, root)
}

fn unusable() -> Error {
    Error::Setting("the TLS of the journal's server cannot be set up".to_owned())
}

fn client(verified: Verified, root: Option<&str>) -> Result<ClientConfig> {
    let provider = provider().ok_or_else(|| {
        Error::Setting(
            "TLS has no provider in this build: enable the feature `rustls-aws-lc` or `rustls-ring` of `cpaas`, or set sslmode=disable"
                .to_owned(),
        )
    })?;
    let builder = ClientConfig::builder_with_provider(provider.clone());
    let builder = builder.with_safe_default_protocol_versions().map_err(|_| unusable())?;
    let chain: Option<Arc<dyn ServerCertVerifier>> = match (verified, root) {
        (Verified::Nothing, _) => None,
        (_, None) => Some(Arc::new(Verifier::new(provider.clone()).map_err(|_| unusable())?)),
        (_, Some(path)) => Some(
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots(path)?), provider.clone())
                .build()
                .map_err(|_| unusable())?,
        ),
    };
    let verifier = ByMode { verified, chain, provider };
    Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}

fn roots(path: &str) -> Result<RootCertStore> {
    let unreadable =
        || Error::Setting("sslrootcert must be a readable file of PEM certificates, or `system`".to_owned());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|_| unreadable())? {
        roots.add(certificate.map_err(|_| unreadable())?).map_err(|_| unreadable())?;
    }
    if roots.is_empty() { Err(unreadable()) } else { Ok(roots) }
}

/// Verifies what `sslmode` requires of a certificate. Signatures are verified in every mode.
#[derive(Debug)]
struct ByMode {
    verified: Verified,
    chain: Option<Arc<dyn ServerCertVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for ByMode {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        match chain.verify_server_cert(certificate, intermediates, host, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.verified == Verified::Chain => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sslmode_and_sslrootcert_are_read_from_the_address() {
        let url = "postgres://u@h/d?connect_timeout=5&sslmode=verify-full&sslrootcert=/a%20b.pem";
        let expected = ("postgres://u@h/d?connect_timeout=5".to_owned(), "verify-full", "/a b.pem");
        let (rest, mode, root) = split(url);
        assert_eq!((rest, mode.unwrap().as_str(), root.unwrap().as_str()), expected);
        assert_eq!(split("postgres://u@h/d"), ("postgres://u@h/d".to_owned(), None, None));
    }

    #[test]
    fn sslmode_accepts_the_modes_of_libpq_and_rejects_others() {
        for (mode, expected) in [
            ("disable", SslMode::Disable),
            ("prefer", SslMode::Prefer),
            ("require", SslMode::Require),
            ("verify-ca", SslMode::Require),
            ("verify-full", SslMode::Require),
        ] {
            let (config, _) = connection(&format!("postgres://u@h/d?sslmode={mode}")).unwrap();
            assert_eq!(config.get_ssl_mode(), expected, "{mode}");
        }
        assert!(connection("postgres://u@h/d?sslmode=maybe").is_err());
        assert!(connection("postgres://u@h/d?sslmode=verify-ca&sslrootcert=/nonexistent").is_err());
    }
}
