//! How a sandbox is to run.

use std::fmt;

use crate::blocking::BlockingSandbox;
use crate::clock::ClockMode;
use crate::options::Options;
use crate::sandbox::{Sandbox, StartError};

/// The switches of a sandbox, with the names and defaults of the command line.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    options: Options,
}

/// A switch that does not exist, or a value that it does not take; the text says which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchError(String);

impl fmt::Display for SwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SwitchError {}

impl Builder {
    /// The port; 0 (default) chooses a free one.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.options.port = port;
        self
    }

    /// What moves the clocks.
    #[must_use]
    pub fn clock(mut self, mode: ClockMode) -> Self {
        self.options.clock = mode;
        self
    }

    /// The same ids, keys, codes and faults each time.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = Some(seed);
        self
    }

    /// Lets requests carry this name in `Host` besides the loopback ones; see `--allow-host`.
    ///
    /// # Errors
    /// When it is not a host name or an address.
    pub fn allow_host(self, name: &str) -> Result<Self, SwitchError> {
        self.set("allow-host", name)
    }

    /// Sets any switch by its name on the command line, without the dashes; `""` for one without a value.
    ///
    /// # Errors
    /// If there is no such switch, or its value is invalid.
    pub fn set(mut self, name: &str, value: &str) -> Result<Self, SwitchError> {
        self.options.set(name, value).map_err(SwitchError)?;
        Ok(self)
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Starts it in the tokio runtime of the caller.
    ///
    /// # Errors
    /// When the port or address is not to be had.
    pub async fn start(self) -> Result<Sandbox, StartError> {
        Sandbox::start(self.options).await
    }

    /// Starts it with one thread of its own, for programs without a runtime.
    ///
    /// # Errors
    /// When the port, the address or the thread is not to be had.
    pub fn start_blocking(self) -> Result<BlockingSandbox, StartError> {
        BlockingSandbox::start(self.options)
    }
}

impl Sandbox {
    /// How it is to run.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }
}
