//! The TLS provider that the features of this build name.

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, KeyProvider};
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::SigningKey;

/// Loads no private keys, because client certificates are not supported. Without the code for signatures, the C library is
/// smaller.
#[derive(Debug)]
struct NoKeys;

impl KeyProvider for NoKeys {
    fn load_private_key(&self, _key: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, rustls::Error> {
        Err(rustls::Error::General("client certificates are not supported".to_owned()))
    }
}

/// AWS-LC if it is enabled, else ring, else the provider that the program has installed, else `None`. Nothing is installed for
/// the process.
#[must_use]
pub fn provider() -> Option<Arc<CryptoProvider>> {
    #[cfg(feature = "rustls-aws-lc")]
    let enabled = Some(rustls::crypto::aws_lc_rs::default_provider());
    #[cfg(all(feature = "rustls-ring", not(feature = "rustls-aws-lc")))]
    let enabled = Some(rustls::crypto::ring::default_provider());
    #[cfg(not(any(feature = "rustls-aws-lc", feature = "rustls-ring")))]
    let enabled: Option<CryptoProvider> = None;
    match enabled {
        Some(provider) => Some(Arc::new(CryptoProvider { key_provider: &NoKeys, ..provider })),
        None => CryptoProvider::get_default().cloned(),
    }
}
