//! `docs/errors.md` and the Python table: the provider's codes in words.

use std::fmt::Write as _;

use cpaas::provider_codes;

const INTRODUCTION: &str = "# Codes of the provider

The codes with which the provider rejects a request, in words. Generated from the table in `core/src/provider_codes.rs`: change it, then run
`cargo run -p codegen`. The message of an error record contains the words, in every language; the member `code` contains the code.

The [specification](specification.md) documents some of the codes. The others are assumptions of the sandbox, with their label in
[assumptions.md](assumptions.md): the provider may use other codes or other meanings. An unknown code has no words; then
`provider_message`, if the response had one, is the only explanation. If validation gave warnings, the error has them in `problems`.

| Family | Code | Meaning | What to do | Source |
|---|---|---|---|---|
";

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<crate::File> {
    vec![("docs/errors.md".to_owned(), page()), ("python/cpaas/_provider_codes.py".to_owned(), python())]
}

fn page() -> String {
    let mut text = INTRODUCTION.to_owned();
    for row in provider_codes::all() {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            row.family, row.code, row.meaning, row.advice, row.source
        );
    }
    text
}

fn python() -> String {
    let mut text = "# Generated from the table of the core: `cargo run -p codegen` rewrites it.\n\"\"\"The provider's codes in words, by family and code: the meaning, and what to do.\"\"\"\n\nPROVIDER_CODES: dict[tuple[str, int], tuple[str, str]] = {\n".to_owned();
    for row in provider_codes::all() {
        let _ =
            writeln!(text, "    ({:?}, {}): ({:?}, {:?}),", row.family, row.code, row.meaning, row.advice);
    }
    text + "}\n"
}
