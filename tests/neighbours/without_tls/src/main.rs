//! Without TLS, beside reqwest without TLS. An address with https:// is an error that names the features.

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
    call_sandbox::call_with(cpaas::Client::new).await
}
