//! Signs callback URLs.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::callback::{
    Keyring, Lifetime, MAX_LIFETIME, MIN_LIFETIME, MintError, Purpose, RANDOM_BYTES,
    callback_json::keyring_from_json, random_token_bytes, token_url,
};
use crate::clock::Clock;
use crate::config::{Config, out_of_range};
use crate::error::Error;
use crate::problem::{Pointer, Problem, codes};

/// Adds a token to the callback URL of each SMS (section Authentication, "Callbacks").
#[derive(Clone)]
pub(crate) struct CallbackSigner {
    keyring: Arc<Keyring>,
    audience: String,
    lifetime: Lifetime,
    /// `None` for the time and the random bytes of the operating system.
    pub(crate) clock: Option<Arc<dyn Clock>>,
}

impl CallbackSigner {
    pub(crate) fn new(config: &Config) -> Result<Option<Self>, Error> {
        let lifetime = lifetime(config.callback_lifetime)?;
        let Some(keys) = &config.callback_keys else { return Ok(None) };
        let keyring = keyring_from_json(keys.expose())
            .map_err(|error| Error::config(format!("`callback_keys`: {error}")))?;
        let audience = config.callback_audience.clone();
        let audience = audience.ok_or_else(|| Error::config("`callback_keys` needs `callback_audience`"))?;
        Ok(Some(Self { keyring: Arc::new(keyring), audience, lifetime, clock: None }))
    }

    fn sign(&self, url: &str, reference: &str) -> Result<String, String> {
        let token = self.mint(reference).map_err(|error| error.to_string())?;
        token_url(url, &token).map_err(|error| error.to_string())
    }

    fn mint(&self, reference: &str) -> Result<String, MintError> {
        let random = self.random()?;
        let now = match &self.clock {
            Some(clock) => clock.unix_time(),
            None => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
        };
        let purpose = Purpose::DeliveryReport;
        self.keyring.mint_with(purpose, &self.audience, reference, self.lifetime, now.as_secs(), random)
    }

    fn random(&self) -> Result<[u8; RANDOM_BYTES], MintError> {
        let Some(clock) = &self.clock else { return random_token_bytes() };
        let mut random = [0; RANDOM_BYTES];
        clock.fill_random(&mut random).map_err(|_| MintError::Random)?;
        Ok(random)
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

fn lifetime(lifetime: Option<Duration>) -> Result<Lifetime, Error> {
    let Some(lifetime) = lifetime else { return Ok(Lifetime::Default) };
    match u32::try_from(lifetime.as_secs()) {
        Ok(seconds) if (MIN_LIFETIME..=MAX_LIFETIME).contains(&seconds) && lifetime.subsec_nanos() == 0 => {
            Ok(Lifetime::Seconds(seconds))
        }
        Ok(MIN_LIFETIME..MAX_LIFETIME) => {
            Err(Error::config("`callback_lifetime` must be an integer number of seconds"))
        }
        _ => Err(out_of_range("callback_lifetime")),
    }
}

const NO_REFERENCE: &str = "must be set when the client signs `callback` (`callback_keys`): \
                            without it the token would fit every message";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_is_sixty_seconds_to_sixty_one_days() {
        let check = |duration| lifetime(Some(duration)).map_err(|error| error.message.clone());
        let outside = "`callback_lifetime` must be 60 to 5,270,400 seconds";
        for seconds in [0, 59, 5_270_401, 4_294_967_356, u64::MAX] {
            assert_eq!(check(Duration::from_secs(seconds)).unwrap_err(), outside, "{seconds}");
        }
        for outside_by_a_fraction in
            [Duration::from_millis(59_999), Duration::new(5_270_400, 1), Duration::MAX]
        {
            assert_eq!(check(outside_by_a_fraction).unwrap_err(), outside, "{outside_by_a_fraction:?}");
        }
        for fraction in [Duration::from_millis(60_500), Duration::new(5_270_399, 999_999_999)] {
            let message = "`callback_lifetime` must be an integer number of seconds";
            assert_eq!(check(fraction).unwrap_err(), message, "{fraction:?}");
        }
        for seconds in [60, 259_200, 5_270_400] {
            assert!(check(Duration::from_secs(seconds)).is_ok(), "{seconds}");
        }
        assert!(matches!(lifetime(None), Ok(Lifetime::Default)));
    }

    #[test]
    fn a_lifetime_without_keys_is_checked_too() {
        let config = Config::from_json(r#"{"callback_lifetime": 0}"#).unwrap();
        assert!(CallbackSigner::new(&config).is_err());
    }
}
