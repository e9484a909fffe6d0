//! One call against a sandbox in this process.

use cpaas::{Client, Config, sms};
use cpaas_sandbox::Sandbox;

pub(crate) type Failure = Box<dyn std::error::Error>;

pub(crate) async fn call_with(new: impl Fn(&Config) -> Result<Client, cpaas::Error>) -> Result<(), Failure> {
    let sandbox = Sandbox::builder().start().await?;
    let sent = new(&sandbox.config())?.call(sms::SendSms::new("Acme", "306912345678", "Hello")).await?;
    if sent.response_code != 0 {
        return Err("expected response code 0".into());
    }
    Ok(())
}
