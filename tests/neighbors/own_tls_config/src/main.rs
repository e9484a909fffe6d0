//! Without a provider of cpaas: the program passes its own configuration of rustls.

#[path = "../../call_sandbox.rs"]
mod call_sandbox;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), call_sandbox::Failure> {
    let without = cpaas::Config::default().sms_url("https://sms.example");
    let error = cpaas::Client::new(&without).err().ok_or("expected an error: there is no provider")?;
    if !error.message.contains("`Client::with_rustls_config`") {
        return Err(error.into());
    }
    let roots = rustls::RootCertStore::empty();
    let own = rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    call_sandbox::call_with(|config| cpaas::Client::with_rustls_config(config, own.clone())).await
}
