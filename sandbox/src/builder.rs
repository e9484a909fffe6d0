//! Configures a sandbox.

use std::fmt;

use cpaas::printable::{MAX_MESSAGE, printable};

use crate::blocking::BlockingSandbox;
use crate::clock::ClockMode;
use crate::options::Options;
use crate::sandbox::Sandbox;
use crate::start_error::StartError;

/// The switches of a sandbox, with the names and defaults of the command line.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    options: Options,
}

/// An unknown switch, or an invalid value; the message names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchError(String);

impl fmt::Display for SwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.0, MAX_MESSAGE))
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

    /// Whether the clocks follow real time or are virtual.
    #[must_use]
    pub fn clock(mut self, mode: ClockMode) -> Self {
        self.options.clock = mode;
        self
    }

    /// Makes ids, keys, codes and faults the same in each run.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = Some(seed);
        self
    }

    /// Accepts this name in `Host`, besides the loopback names; see `--allow-host`.
    ///
    /// # Errors
    /// If `name` is not a host name or an address.
    pub fn allow_host(self, name: &str) -> Result<Self, SwitchError> {
        self.set("allow-host", name)
    }

    /// Sets any switch by its name on the command line, without the dashes; `""` for one without a value.
    ///
    /// # Errors
    /// An unknown switch, or an invalid value.
    pub fn set(mut self, name: &str, value: &str) -> Result<Self, SwitchError> {
        self.options.set(name, value).map_err(SwitchError)?;
        Ok(self)
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Starts the sandbox in the tokio runtime of the caller.
    ///
    /// # Errors
    /// The address or port cannot be bound, or the folder of the composer does not exist.
    pub async fn start(self) -> Result<Sandbox, StartError> {
        Sandbox::start(self.options).await
    }

    /// Starts the sandbox on its own thread, for programs without a runtime.
    ///
    /// # Errors
    /// The address or port cannot be bound, or the thread cannot be started.
    pub fn start_blocking(self) -> Result<BlockingSandbox, StartError> {
        BlockingSandbox::start(self.options)
    }
}

impl Sandbox {
    /// Configures a sandbox; [`Builder::start`] starts it.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }
}
