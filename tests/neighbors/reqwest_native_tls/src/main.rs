//! Beside reqwest with native-tls.

#[path = "../../call_sandbox.rs"]
mod call_sandbox;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), call_sandbox::Failure> {
    let _own = reqwest::Client::new();
    call_sandbox::call_with(cpaas::Client::new).await
}
