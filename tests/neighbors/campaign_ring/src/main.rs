//! Beside rustls with ring, and campaigns with a journal in Postgres.

use cpaas_campaign as _;

#[path = "../../call_sandbox.rs"]
mod call_sandbox;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), call_sandbox::Failure> {
    let roots = rustls::RootCertStore::empty();
    let _own = rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    call_sandbox::call_with(cpaas::Client::new).await
}
