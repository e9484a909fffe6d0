//! Starts the binary of the sandbox.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use cpaas::Config;
use serde_json::Value;

pub(crate) struct Binary {
    child: Child,
    pub(crate) url: String,
    pub(crate) config: Value,
}

impl Binary {
    pub(crate) fn start(switches: &[&str]) -> Self {
        let mut child = Command::new(path()).args(switches).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.find_map(|line| line.ok().filter(|line| line.starts_with('{'))).unwrap();
        let ready: Value = serde_json::from_str(&ready).unwrap();
        Self { child, url: ready["url"].as_str().unwrap().to_owned(), config: ready["config"].clone() }
    }

    /// The configuration of a client, with the addresses at `url`.
    pub(crate) fn config(&self, url: &str) -> Config {
        let mut config = self.config.clone();
        config.as_object_mut().unwrap().remove("bot_id"); // Each request contains it.
        Config::from_json(&config.to_string().replace(&self.url, url)).unwrap()
    }

    /// A call of the control API.
    pub(crate) fn control(&self, path: &str) -> Value {
        let mut stream = TcpStream::connect(self.url.trim_start_matches("http://")).unwrap();
        write!(stream, "GET /_sandbox{path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Binary {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The binary in `CPAAS_SANDBOX_BIN`, or the one that cargo builds with the profile of this test.
fn path() -> PathBuf {
    if let Ok(path) = std::env::var("CPAAS_SANDBOX_BIN") {
        return path.into();
    }
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let build = ["build", "--quiet", "--package", "cpaas-sandbox", "--bin", "cpaas-sandbox"];
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(build).env("CARGO_TARGET_DIR", profile.parent().unwrap());
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(
        cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success(),
        "the binary does not build"
    );
    profile.join(format!("cpaas-sandbox{}", std::env::consts::EXE_SUFFIX))
}
