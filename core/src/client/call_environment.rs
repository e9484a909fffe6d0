//! What a call needs beside its request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::call_id;
use super::call_options::{CallLimits, CallOptions};
use super::extra_headers;
use super::hooks::Hooks;
use super::known_ids::KnownIds;
use super::retry_budget::RetryBudget;
use super::send_checks::SendChecks;
use super::transport::Transport;
use crate::clock::Clock;
use crate::config::Config;
use crate::error::Error;
use crate::http::HttpRequest;
use crate::request::RequestContext;

/// What a call needs beside its request. Owned and cheap to clone, so that a call can outlive its client.
#[derive(Clone)]
pub(crate) struct CallEnvironment {
    pub(crate) context: Arc<RequestContext>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) limits: CallLimits,
    /// The id of the next call, if it was needed before the call.
    pub(crate) call_id: Option<String>,
    /// Headers of the next calls, from [`CallOptions::header`].
    extra_headers: Option<Arc<[(String, String)]>>,
}

/// The parts that the clones of a client share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) retry_budget: Arc<RetryBudget>,
    pub(crate) known_ids: Arc<KnownIds>,
    /// Whether a passcode without a code in its text was logged.
    has_logged_text: Arc<AtomicBool>,
    pub(crate) hooks: Hooks,
    pub(crate) send_checks: SendChecks,
}

impl CallEnvironment {
    /// # Errors
    /// `invalid` with the reason `config`: a member of the configuration has an invalid value, or the clock has no random bytes.
    pub(crate) fn new(
        config: &Config,
        transport: Arc<dyn Transport>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        let known_ids = KnownIds::new(&*clock)
            .map_err(|error| Error::config(format!("a client needs random bytes, but {error}")))?;
        let shared = Shared {
            transport,
            clock,
            retry_budget: Arc::default(),
            known_ids: Arc::new(known_ids),
            has_logged_text: Arc::default(),
            hooks: Hooks::default(),
            send_checks: SendChecks::default(),
        };
        Self::over(config, Arc::new(shared))
    }

    /// An environment with another configuration.
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    pub(crate) fn over(config: &Config, shared: Arc<Shared>) -> Result<Self, Error> {
        let mut context = RequestContext::new(config)?.with_clock(&shared.clock);
        context.keeps_sms_recipients = !shared.send_checks.is_empty();
        let limits = CallLimits::new(config).map_err(|error| config.names_variables(error))?;
        Ok(Self { context: Arc::new(context), shared, limits, call_id: None, extra_headers: None })
    }

    /// The id of the call, which is a new one until it is set.
    pub(crate) fn call_id(&self) -> String {
        self.call_id.clone().unwrap_or_else(|| call_id::new(self.clock(), &self.shared.known_ids))
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.shared.clock
    }

    pub(crate) fn hooks(&self) -> &Hooks {
        &self.shared.hooks
    }

    /// Whether this is the first passcode of the client whose text has no code. A program that sends codes of its own would else log
    /// each of them.
    pub(crate) fn is_first_text_without_code(&self) -> bool {
        !self.shared.has_logged_text.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn with(mut self, options: CallOptions) -> Self {
        self.limits = self.limits.with(&options);
        if let Some(validation) = options.validation {
            Arc::make_mut(&mut self.context).validation = validation;
        }
        if options.keeps_recipients && self.context.numbers.normalize.is_some() {
            Arc::make_mut(&mut self.context).numbers.normalize = None;
        }
        if options.finds_passcodes {
            Arc::make_mut(&mut self.context).finds_passcodes = true;
        }
        if !options.headers.is_empty() {
            self.extra_headers = Some(options.headers.into());
        }
        self
    }

    /// Adds the headers of [`CallOptions::header`] to a request.
    pub(crate) fn add_headers(&self, request: &mut HttpRequest) -> Result<(), Error> {
        if let Some(headers) = &self.extra_headers {
            extra_headers::check(headers, self.context.credentials.key_headers(), request)?;
            request.headers.extend(headers.iter().cloned());
        }
        Ok(())
    }
}
