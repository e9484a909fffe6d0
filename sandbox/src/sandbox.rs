//! A running sandbox.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::account::Credentials;
use crate::options::Options;
use crate::sandbox_state::Shared;
use crate::start_error::StartError;

/// The provider on a port of this machine (a loopback port unless `bind` sets another address), running as tasks of the runtime
/// that started it.
///
/// Dropping the sandbox stops it without waiting; [`Sandbox::stop`] waits until it has stopped. `Send` and `Sync`.
pub struct Sandbox {
    pub(crate) shared: Arc<Shared>,
    /// The control API, for calls without HTTP.
    pub(crate) control: Router,
    listener: Mutex<Option<JoinHandle<()>>>,
    credentials: Credentials,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("url", &self.url()).finish_non_exhaustive()
    }
}

impl Sandbox {
    pub(crate) async fn start(options: Options) -> Result<Self, StartError> {
        if let Some(folder) = options.composer.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(StartError::Composer(folder.clone()));
        }
        let place = SocketAddr::new(options.bind, options.port);
        let listener = TcpListener::bind(place)
            .await
            .map_err(|error| StartError::Listen(io::Error::new(error.kind(), format!("{place}: {error}"))))?;
        let address = listener.local_addr().map_err(StartError::Listen)?;
        let shared = Shared::new(options)?;
        let _ = shared.listener.set(address);
        let _ = shared.base.set(format!("http://{address}"));
        let account = crate::scheduler::open_account(&shared).map_err(StartError::Account)?;
        let router = crate::router::router(&shared);
        let task = tokio::spawn(crate::server::listen(listener, Arc::clone(&shared), router));
        let control = crate::control::routes().with_state(Arc::clone(&shared));
        Ok(Self {
            shared,
            control,
            listener: Mutex::new(Some(task)),
            credentials: account.credentials.clone(),
        })
    }

    /// The base URL of every family: `http://127.0.0.1:PORT`, or with the address of `bind`.
    #[must_use]
    pub fn url(&self) -> &str {
        self.shared.base()
    }

    /// The credentials of the first account.
    #[must_use]
    pub fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    /// A configuration for a client of the first account.
    #[must_use]
    pub fn config(&self) -> cpaas::Config {
        self.credentials.config(self.url())
    }

    /// Stops the listener and all connections, timers and callbacks, and waits until they have ended.
    pub async fn stop(self) {
        self.end().await;
    }

    pub(crate) async fn end(&self) {
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(listener) = listener {
            listener.abort();
            let _ = listener.await;
        }
        let mut tasks = {
            let mut tasks = self.shared.tasks.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *tasks)
        };
        tasks.shutdown().await;
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(listener) = listener {
            listener.abort();
        }
        self.shared.tasks.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
    }
}

impl Credentials {
    /// A configuration for a client of this account.
    #[must_use]
    pub fn config(&self, url: &str) -> cpaas::Config {
        cpaas::Config::default()
            .otp_url(url)
            .sms_url(url)
            .lookup_url(url)
            .messaging_url(url)
            .messenger_b_url(url)
            .messenger_c_url(url)
            .account_sid(self.account_sid.as_str())
            .api_key(self.api_key.as_str())
            .sms_key(self.sms_key.as_str())
            .messenger_b_token(self.messenger_b_token.as_str())
            .traffic_account_id(self.traffic_account_id.as_str())
    }

    /// The environment variables from which `cpaas::Config::from_env` reads the same configuration as
    /// [`Credentials::config`], and `CPAAS_BOT_ID`.
    #[must_use]
    pub fn environment(&self, url: &str) -> Vec<(&'static str, String)> {
        let own = |text: &String| text.clone();
        vec![
            ("CPAAS_OTP_URL", url.to_owned()),
            ("CPAAS_SMS_URL", url.to_owned()),
            ("CPAAS_LOOKUP_URL", url.to_owned()),
            ("CPAAS_MESSAGING_URL", url.to_owned()),
            ("CPAAS_MESSENGER_B_URL", url.to_owned()),
            ("CPAAS_MESSENGER_C_URL", url.to_owned()),
            ("CPAAS_ACCOUNT_SID", own(&self.account_sid)),
            ("CPAAS_API_KEY", own(&self.api_key)),
            ("CPAAS_SMS_KEY", own(&self.sms_key)),
            ("CPAAS_MESSENGER_B_TOKEN", own(&self.messenger_b_token)),
            ("CPAAS_TRAFFIC_ACCOUNT_ID", own(&self.traffic_account_id)),
            ("CPAAS_BOT_ID", own(&self.bot_id)),
        ]
    }

    /// The same values under the names of the configuration, as the ready line and the control API show them.
    pub(crate) fn show(&self, url: &str) -> Value {
        let members = self.environment(url).into_iter().map(|(name, value)| {
            (name.trim_start_matches("CPAAS_").to_ascii_lowercase(), Value::from(value))
        });
        json!(members.collect::<serde_json::Map<_, _>>())
    }
}
