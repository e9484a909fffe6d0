//! `cargo run -p codegen` (a part of `./x generate`): rewrites the generated files that are stale and prints their names.
#![allow(clippy::print_stdout, reason = "a command of the workspace")]

fn main() -> Result<(), String> {
    for (name, text) in codegen::stale(codegen::files()?) {
        std::fs::write(codegen::root().join(&name), text).map_err(|error| format!("{name}: {error}"))?;
        println!("{name}");
    }
    Ok(())
}
