//! With the feature `http2` of cpaas, and beside axum with HTTP/2.

#[path = "../../call_sandbox.rs"]
mod call_sandbox;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), call_sandbox::Failure> {
    let _own = axum::Router::<()>::new();
    call_sandbox::call_with(cpaas::Client::new).await
}
