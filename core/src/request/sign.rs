use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::callback::{Keyring, Lifetime, Purpose, keyring_from_json, token_url};
use crate::config::Config;
use crate::error::Error;
use crate::problem::{Pointer, Problem, codes};

/// Adds a token to the callback URL of each SMS (section Authentication, "Callbacks").
#[derive(Clone)]
pub(crate) struct CallbackSigner {
    keyring: Arc<Keyring>,
    audience: String,
    lifetime: Lifetime,
}

impl CallbackSigner {
    pub(crate) fn new(config: &Config) -> Result<Option<Self>, Error> {
        let Some(keys) = &config.callback_keys else { return Ok(None) };
        let keyring = keyring_from_json(keys.expose())
            .map_err(|error| Error::config(format!("`callback_keys`: {error}")))?;
        let audience = config.callback_audience.clone();
        let audience = audience.ok_or_else(|| Error::config("`callback_keys` needs `callback_audience`"))?;
        let lifetime = match config.callback_lifetime.map(u32::try_from) {
            None => Lifetime::Default,
            Some(Ok(seconds)) => Lifetime::Seconds(seconds),
            Some(Err(_)) => {
                return Err(Error::config(
                    "`callback_lifetime` must be a number of seconds from 60 to 5,270,400",
                ));
            }
        };
        Ok(Some(Self { keyring: Arc::new(keyring), audience, lifetime }))
    }

    fn sign(&self, url: &str, reference: &str) -> Result<String, String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let purpose = Purpose::DeliveryReport;
        let token = self.keyring.mint(purpose, &self.audience, reference, self.lifetime, now);
        token_url(url, &token.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
    }

    /// Adds a token to a callback URL, if there is one.
    pub(crate) fn sign_callback(
        &self,
        operation: &'static str,
        callback: &mut Option<String>,
        reference: Option<&str>,
    ) -> Result<(), Error> {
        let Some(url) = callback.as_deref() else { return Ok(()) };
        let rejected = |name: &str, reason: &str| {
            let problem =
                Problem::new(&codes::SMS_CALLBACK_INVALID, &Pointer::ROOT.key(name)).message(reason);
            Error::invalid(operation, vec![problem])
        };
        let reference = reference.filter(|reference| !reference.trim().is_empty());
        let reference = reference.ok_or_else(|| rejected("reference", NO_REFERENCE))?;
        *callback = Some(self.sign(url, reference).map_err(|reason| rejected("callback", &reason))?);
        Ok(())
    }
}

const NO_REFERENCE: &str = "must be set when the client signs `callback` (`callback_keys`): \
                            without it the token would fit every message";
