//! The OpenAPI document, in the docs and in the sandbox, is what the list of operations and the shapes yield.

#[test]
fn the_openapi_document_is_up_to_date() -> Result<(), String> {
    cpaas_tests::generate::compare(&cpaas_tests::generate::openapi::files())
}
