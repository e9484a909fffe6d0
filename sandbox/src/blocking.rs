//! A sandbox that runs on its own thread.

use std::sync::mpsc;
use std::thread::JoinHandle;

use tokio::runtime::{Builder as Runtimes, Handle};
use tokio::sync::oneshot;

use crate::account::Credentials;
use crate::options::Options;
use crate::sandbox::Sandbox;
use crate::start_error::StartError;

/// A sandbox for programs without a runtime: Python, tests. `Send` and `Sync`; not to be used inside a runtime.
#[derive(Debug)]
pub struct BlockingSandbox {
    sandbox: std::sync::Arc<Sandbox>,
    runtime: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl BlockingSandbox {
    pub(crate) fn start(options: Options) -> Result<Self, StartError> {
        let (ready, started) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("cpaas-sandbox".to_owned())
            .spawn(move || thread(options, &ready, stopped))
            .map_err(StartError::Thread)?;
        match started.recv() {
            Ok(Ok((sandbox, runtime))) => {
                Ok(Self { sandbox, runtime, stop: Some(stop), thread: Some(thread) })
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(StartError::Thread(std::io::Error::other("the thread ended"))),
        }
    }

    /// The base URL of every family.
    #[must_use]
    pub fn url(&self) -> &str {
        self.sandbox.url()
    }

    /// The credentials of the first account.
    #[must_use]
    pub fn credentials(&self) -> &Credentials {
        self.sandbox.credentials()
    }

    /// A configuration for a client of the first account.
    #[must_use]
    pub fn config(&self) -> cpaas::Config {
        self.sandbox.config()
    }

    /// The sandbox itself, for calls in an async program.
    #[must_use]
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Stops the sandbox and waits until its thread has ended.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for BlockingSandbox {
    fn drop(&mut self) {
        self.end();
    }
}

type Started = Result<(std::sync::Arc<Sandbox>, Handle), StartError>;

fn thread(options: Options, ready: &mpsc::Sender<Started>, stopped: oneshot::Receiver<()>) {
    let runtime = match Runtimes::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = ready.send(Err(StartError::Thread(error)));
            return;
        }
    };
    runtime.block_on(async {
        match Sandbox::start(options).await {
            Ok(sandbox) => {
                let sandbox = std::sync::Arc::new(sandbox);
                let _ = ready.send(Ok((std::sync::Arc::clone(&sandbox), Handle::current())));
                let _ = stopped.await;
                sandbox.end().await;
            }
            Err(error) => {
                let _ = ready.send(Err(error));
            }
        }
    });
    // DNS lookups run on other threads; stopping does not wait for them.
    runtime.shutdown_background();
}
