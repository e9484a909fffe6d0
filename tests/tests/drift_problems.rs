//! The generated list of problems is what the table of codes and the vectors yield.

#[test]
fn the_list_of_problems_is_up_to_date() -> Result<(), String> {
    cpaas_tests::generate::compare(&cpaas_tests::generate::problems::files())
}
