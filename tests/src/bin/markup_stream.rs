//! Parses markup line by line: each line of standard input is `["Mode", "text"]`, each line of standard output the JSON of
//! `cpaas::bindings::parse_markup_json`. Driven by `tests/nightly/markup_oracle.py`.

use std::io::{self, BufRead as _, BufWriter, Write as _};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let (mode, text): (String, String) = serde_json::from_str(&line?)?;
        writeln!(out, "{}", cpaas::bindings::parse_markup_json(&text, &mode))?;
    }
    out.flush()
}
