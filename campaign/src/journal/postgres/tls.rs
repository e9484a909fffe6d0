//! TLS to the server. `sslmode` and `sslrootcert` in the address have the same meaning as in libpq.
//!
//! | `sslmode` | Encrypted | Certificate |
//! |---|---|---|
//! | `disable` | no | |
//! | `prefer` (default for this machine) | if the server can; without it, no password in clear text to another machine | not verified |
//! | `require` (default for other hosts) | yes | not verified; if `sslrootcert` is set, as for `verify-ca` |
//! | `verify-ca` | yes | verified by `sslrootcert`, or by the roots of the system |
//! | `verify-full` | yes | as for `verify-ca`, and must contain the name of the host |

use std::sync::Arc;
use std::time::Duration;

use cpaas::tls::provider;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use rustls_platform_verifier::Verifier;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::{Address, Environment};
use super::negotiation::{Negotiator, WithoutTls};
use crate::error::{Error, Result};

/// What is verified about the certificate of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verified {
    Nothing,
    Chain,
    ChainAndHost,
}

/// Reads the settings of the connection and of its TLS from an address, and from what libpq reads beside it.
///
/// With `sslmode=disable`, there is no TLS, and no provider is needed.
pub(super) fn connection(
    url: &str,
    environment: Environment<'_>,
) -> Result<(tokio_postgres::Config, Negotiator)> {
    let address = Address::read(url, environment)?;
    let is_local = address.is_local();
    let Address { mut config, mode, root } = address;
    let (without, mut verified) = match mode.as_deref() {
        Some("disable") => (WithoutTls::Everything, Verified::Nothing),
        None | Some("prefer" | "allow") if is_local => (WithoutTls::Everything, Verified::Nothing),
        Some("prefer" | "allow") => (WithoutTls::NoClearPassword, Verified::Nothing),
        None => (WithoutTls::NothingByDefault, Verified::Nothing),
        Some("require") => (WithoutTls::Nothing, Verified::Nothing),
        Some("verify-ca") => (WithoutTls::Nothing, Verified::Chain),
        Some("verify-full") => (WithoutTls::Nothing, Verified::ChainAndHost),
        Some(_) => {
            let message = "sslmode must be disable, prefer, require, verify-ca or verify-full";
            return Err(Error::Setting(message.to_owned()));
        }
    };
    limit_silence(&mut config);
    let needs_tls = matches!(without, WithoutTls::Nothing | WithoutTls::NothingByDefault);
    let root = root.filter(|root| root != "system");
    if root.is_some() && needs_tls && verified == Verified::Nothing {
        verified = Verified::Chain;
    }
    let root = root.filter(|_| verified != Verified::Nothing);
    let has_tls = mode.as_deref() != Some("disable");
    let tls = if has_tls { Some(MakeRustlsConnect::new(client(verified, root.as_deref())?)) } else { None };
    Ok((config, Negotiator { tls, without, announced: Arc::default() }))
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

    fn without(url: &str) -> Result<(WithoutTls, bool)> {
        connection(url, &|_| None).map(|(_, negotiator)| (negotiator.without, negotiator.tls.is_some()))
    }

    #[test]
    fn sslmode_accepts_the_modes_of_libpq_and_rejects_others() {
        for (mode, expected) in [
            ("disable", (WithoutTls::Everything, false)),
            ("prefer", (WithoutTls::NoClearPassword, true)),
            ("allow", (WithoutTls::NoClearPassword, true)),
            ("require", (WithoutTls::Nothing, true)),
            ("verify-ca", (WithoutTls::Nothing, true)),
            ("verify-full", (WithoutTls::Nothing, true)),
        ] {
            assert_eq!(without(&format!("postgres://u@h/d?sslmode={mode}")).unwrap(), expected, "{mode}");
        }
        assert!(without("postgres://u@h/d?sslmode=maybe").is_err());
        assert!(without("postgres://u@h/d?sslmode=verify-ca&sslrootcert=/nonexistent").is_err());
    }

    #[test]
    fn without_sslmode_another_machine_must_have_tls() {
        assert_eq!(without("postgres://u@db.example/d").unwrap(), (WithoutTls::NothingByDefault, true));
        for local in ["localhost", "127.0.0.1", "[::1]", "%2Ftmp"] {
            let url = format!("postgres://u@{local}/d");
            assert_eq!(without(&url).unwrap(), (WithoutTls::Everything, true), "{local}");
            let url = format!("{url}?sslmode=require");
            assert_eq!(without(&url).unwrap(), (WithoutTls::Nothing, true), "{local}");
        }
    }
}
