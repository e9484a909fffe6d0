//! Without TLS, beside reqwest without TLS. An address with https:// is an error that names the features; a callback to one is
//! refused.

use std::time::Duration;

use cpaas::sms;
use cpaas_sandbox::{ClockMode, Sandbox};

#[path = "../../call_sandbox.rs"]
mod call_sandbox;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), call_sandbox::Failure> {
    let _own = reqwest::Client::new();
    let bundle = cpaas::Config::default().sms_url("http://sms.example").ca_bundle("/roots.pem");
    let https = cpaas::Config::default().sms_url("https://sms.example");
    for config in [bundle, https] {
        let error = cpaas::Client::new(&config).err().ok_or("expected an error: there is no TLS")?;
        if !error.message.contains("`rustls-aws-lc`") {
            return Err(error.into());
        }
    }
    call_sandbox::call_with(cpaas::Client::new).await?;
    refuses_https().await
}

/// The sandbox reports why it does not call the target.
async fn refuses_https() -> Result<(), call_sandbox::Failure> {
    let sandbox = Sandbox::builder().clock(ClockMode::Virtual).start().await?;
    let message = sms::SendSms::new("Acme", "306912345678", "Hello").callback("https://127.0.0.1:1/report");
    cpaas::Client::new(&sandbox.config())?.call(message).await?;
    sandbox.advance(Duration::from_secs(1)).await;
    let callbacks = sandbox.control("GET", "/callbacks", &Default::default()).await?;
    match callbacks["attempts"][0]["outcome"].as_str() {
        Some("no_tls_provider") => Ok(()),
        other => Err(format!("expected no_tls_provider, got {other:?}").into()),
    }
}
