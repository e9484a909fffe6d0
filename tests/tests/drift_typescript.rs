//! The generated TypeScript is what the list of operations yields.

#[test]
fn the_generated_typescript_is_up_to_date() -> Result<(), String> {
    cpaas_tests::generate::compare(&cpaas_tests::generate::typescript::files())
}
