//! `include/cpaas_ffi.h`: the header without comments, directives and macros, for languages whose foreign function interface reads C
//! declarations.

use std::fmt::Write as _;

use crate::{COMMAND, File};

/// The generated file, from the text of `include/cpaas.h`.
///
/// # Errors
/// The header contains a comment that does not end, a directive that this function does not know, or a constant that is not a number.
pub fn file(header: &str) -> Result<File, String> {
    let (constants, declarations) = parts(header).map_err(|error| format!("include/cpaas_ffi.h: {error}"))?;
    let text = format!(
        "/* The declarations of cpaas.h for foreign function interfaces. Generated from include/cpaas.h: `{COMMAND}` rewrites it. */\n\
         enum {{\n{constants}}};\n{declarations}"
    );
    Ok(("include/cpaas_ffi.h".to_owned(), text))
}

/// The lines of one enumeration with every constant, and the declarations.
fn parts(header: &str) -> Result<(String, String), String> {
    let (mut constants, mut declarations) = (String::new(), String::new());
    let mut branches: Vec<bool> = Vec::new();
    let mut in_enumeration = false;
    for line in without_comments(header)?.lines() {
        let line = line.replace("CPAAS_MUST_USE", "");
        let line = line.trim_end();
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            if let Some((name, value)) = constant(directive, &branches)? {
                line_of(&mut constants, name, value);
            }
        } else if line.trim().is_empty() || branches.contains(&false) {
        } else if line.starts_with("enum ") {
            in_enumeration = true;
        } else if in_enumeration {
            in_enumeration = line != "};";
            if let Some((name, value)) = line.trim().trim_end_matches(',').split_once(" = ") {
                line_of(&mut constants, name, number(value)?);
            }
        } else {
            let words = line.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            declarations.extend(words.map(|word| {
                word.strip_prefix("bool ").map_or(word.to_owned(), |rest| format!("_Bool {rest}"))
            }));
            declarations.push('\n');
        }
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            branch(directive, &mut branches)?;
        }
    }
    Ok((constants, declarations))
}

fn line_of(constants: &mut String, name: &str, value: u64) {
    // Writing to a string does not fail.
    let _ = writeln!(constants, "    {name} = {value},");
}

fn without_comments(header: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = header;
    while let Some((before, comment)) = rest.split_once("/*") {
        text.push_str(before);
        rest = comment.split_once("*/").ok_or("a comment does not end")?.1;
    }
    text.push_str(rest);
    Ok(text)
}

/// Enters or leaves a conditional directive. The kept branches are those of a compiler of C before C23 without extensions: no tested
/// macro is defined.
fn branch(directive: &str, branches: &mut Vec<bool>) -> Result<(), String> {
    let word = directive.trim_start().split(' ').next().unwrap_or_default();
    let innermost = branches.last_mut();
    match (word, innermost) {
        ("ifndef", _) => branches.push(true),
        ("if" | "ifdef", _) => branches.push(false),
        ("else", Some(kept)) => *kept = !*kept,
        ("elif", Some(false)) | ("include" | "define", _) => {}
        ("endif", Some(_)) => {
            branches.pop();
        }
        _ => return Err(format!("unknown directive #{directive}")),
    }
    Ok(())
}

/// The name and the value of a `#define`, unless it is empty or a string.
fn constant<'a>(directive: &'a str, branches: &[bool]) -> Result<Option<(&'a str, u64)>, String> {
    let Some((name, value)) =
        directive.strip_prefix("define ").and_then(|definition| definition.split_once(' '))
    else {
        return Ok(None);
    };
    if branches.contains(&false) || value.starts_with('"') {
        return Ok(None);
    }
    number(value).map(|value| Some((name, value)))
}

/// The value of a decimal number or of a shift such as `(1 << 3)`.
fn number(text: &str) -> Result<u64, String> {
    let parse = |text: &str| text.trim().parse::<u64>().map_err(|_| format!("`{text}` must be a number"));
    let inner = text.trim_start_matches('(').trim_end_matches(')');
    match inner.split_once("<<") {
        Some((value, shift)) => {
            let shift = u32::try_from(parse(shift)?).map_err(|error| error.to_string())?;
            parse(value)?.checked_shl(shift).ok_or_else(|| format!("`{text}` must be a number"))
        }
        None => parse(inner),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::parts;

    #[test]
    fn declarations_without_directives() {
        let header = "/* a\n b */\n#ifndef X_H\n#include <stdbool.h>\n#define VERSION \"1\"\n#define N 7\n#if defined(__GNUC__)\n#define CPAAS_MUST_USE x\n\
                      #else\n#define CPAAS_MUST_USE\n#endif\n#define L (1 << 3) /* three */\nenum status\n#if defined(__cplusplus)\n : uint32_t\n#endif\n {\n    OK = 0,\n};\n\
                      #ifdef __cplusplus\nextern \"C\" {\n#endif // __cplusplus\nCPAAS_MUST_USE\nint f(const bool *is_bool, bool a);\n#endif\n";
        let (constants, declarations) = parts(header).unwrap();
        assert_eq!(constants, "    N = 7,\n    L = 8,\n    OK = 0,\n");
        assert_eq!(declarations, "int f(const _Bool *is_bool, _Bool a);\n");
    }

    #[test]
    fn what_it_does_not_know_is_an_error() {
        for header in [
            "/* a",
            "#pragma once\n",
            "#define F f(x)\n",
            "#define N (1 << 64)\n",
            "#endif\n",
            "#ifdef X\n#elif Y\n#elifdef Z\n",
        ] {
            assert!(parts(header).is_err(), "{header}");
        }
    }
}
