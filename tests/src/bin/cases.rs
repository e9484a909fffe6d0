//! `cases KIND < file`: compares a file of cases like those of `tests/vectors` with the library, prints the differences and a
//! last line `passed/all`. Exit code 1 for a difference, 2 for invalid arguments.

use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use cpaas_tests::cases;

fn main() -> io::Result<ExitCode> {
    let kind = std::env::args().nth(1).unwrap_or_default();
    let Some(check) = cases::check(&kind) else {
        writeln!(io::stderr(), "usage: cases segments|markup|problems < file")?;
        return Ok(ExitCode::from(2));
    };
    let mut file = String::new();
    io::stdin().read_to_string(&mut file)?;
    let right = cases::run(check, &file, &mut io::stdout().lock())?;
    Ok(ExitCode::from(u8::from(!right)))
}
