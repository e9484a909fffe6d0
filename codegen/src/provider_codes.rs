//! The meanings of the provider's codes: `docs/provider-codes.md`, and the tables of Python and JavaScript.

use std::fmt::Write as _;

use cpaas::provider_codes::{DOCUMENTED_OTP_CODES, all};

const INTRODUCTION: &str = "# Codes of the provider

The meanings of the codes with which the provider rejects a request. The rows of the family `report` are the error codes of delivery reports.
The row of `otp.verify` replaces that of its family for this operation.
Generated from the table in `core/src/provider_codes.rs`: change it, then run `cargo run -p codegen`. The message of an error contains this meaning, in
Rust, Python, C and JavaScript alike. The member `code` of the error is the code, and `code_meaning` is the meaning.
A program can look a code up: `provider_codes::find` (Rust), `cpaas.provider_code` (Python), `cpaas_provider_code` (C), `providerCode` of
`cpaas/codes` (JavaScript).

The [specification](specification.md) documents some of the codes. The others are assumptions of the sandbox, which
[assumptions.md](assumptions.md) lists by their label; the provider may use other codes or other meanings. A code that is not
in the table has no meaning here; then `provider_message`, if the response had one, is the only explanation. If validation gave warnings, the error
has them in `problems`.

| Family | Code | Meaning | What to do | Source |
|---|---|---|---|---|
";

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<crate::File> {
    vec![
        ("docs/provider-codes.md".to_owned(), page()),
        ("python/cpaas/_generated/provider_codes.py".to_owned(), python()),
        ("wasm/js/codes.js".to_owned(), javascript()),
        ("wasm/js/codes.d.ts".to_owned(), typescript()),
    ]
}

fn page() -> String {
    let mut text = INTRODUCTION.to_owned();
    for row in all() {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            row.family, row.code, row.meaning, row.advice, row.source
        );
    }
    text
}

fn python() -> String {
    let constants: String =
        DOCUMENTED_OTP_CODES.iter().map(|(name, code)| format!("{name} = {code}\n")).collect();
    let mut text = PYTHON_HEAD.replace("CONSTANTS\n", &constants);
    for row in all() {
        let (family, code) = (row.family, row.code);
        let _ = writeln!(
            text,
            "    ({family:?}, {code}): ({:?}, {:?}, {:?}),",
            row.meaning, row.advice, row.source
        );
    }
    text + "}\n"
}

const PYTHON_HEAD: &str = r#"# Generated from `core/src/provider_codes.rs`: `cargo run -p codegen` rewrites it.
"""The provider's codes by family and code: the meaning, what to do, and the source."""

# The codes of the OTP operations that the specification documents.
CONSTANTS

PROVIDER_CODES: dict[tuple[str, int], tuple[str, str, str]] = {
"#;

fn javascript() -> String {
    let mut text = JAVASCRIPT_HEAD.to_owned();
    for row in all() {
        let _ = writeln!(
            text,
            "  {{ family: {:?}, code: {}, meaning: {:?}, advice: {:?}, source: {:?} }},",
            row.family, row.code, row.meaning, row.advice, row.source
        );
    }
    text + JAVASCRIPT_TAIL
}

const JAVASCRIPT_HEAD: &str =
    "// Generated from `core/src/provider_codes.rs`: `cargo run -p codegen` rewrites it.
/** The provider's codes in words. */
export const providerCodes = /* @__PURE__ */ Object.freeze([
";

const JAVASCRIPT_TAIL: &str = "]);

/** Returns the row of a code, or `undefined`. */
export function providerCode(family, code) {
  return providerCodes.find((row) => row.family === family && row.code === code);
}
";

fn typescript() -> String {
    let mut families: Vec<&str> = all().iter().map(|row| row.family).collect();
    families.dedup();
    let families: Vec<String> = families.iter().map(|family| format!("{family:?}")).collect();
    TYPESCRIPT.replace("FAMILIES", &families.join(" | "))
}

const TYPESCRIPT: &str = "// Generated from `core/src/provider_codes.rs`: `cargo run -p codegen` rewrites it.
/** A code of the provider, in words. */
export interface ProviderCode {
  /** The family of the operation; `otp.verify` for a code that means something else there; or `report` for the error codes of delivery reports. */
  readonly family: FAMILIES;
  readonly code: number;
  readonly meaning: string;
  /** What to do. */
  readonly advice: string;
  /** The specification, or the assumption of the sandbox. */
  readonly source: string;
}
/** The provider's codes in words, by family and code. */
export declare const providerCodes: readonly ProviderCode[];
/** Returns the row of a code, or `undefined` for an unknown one. */
export declare function providerCode(family: string, code: number): ProviderCode | undefined;
";
