//! Limits of a template's source, checked before MiniJinja reads it: its parser and compiler are recursive, so a long chain or a deep
//! nesting would exhaust the stack.

use super::code::{self, Code, Kind};

/// The maximum length of a template, in bytes.
const MAX_BYTES: usize = 16_384;
/// The maximum number of operators, filters, tests, accesses, calls and separators of one expression or statement.
const MAX_OPERATORS: usize = 100;
/// The maximum depth of brackets and blocks. A branch (`elif`, `else`) is one block deeper than the branch before it.
const MAX_DEPTH: usize = 20;

/// Words that connect expressions.
const OPERATORS: [&str; 6] = ["and", "or", "not", "in", "is", "if"];
/// Statements that begin a block, which a statement `end…` closes.
const BLOCKS: [&str; 9] = ["if", "for", "with", "set", "filter", "block", "macro", "call", "autoescape"];
/// Statements that begin a further branch of a block.
const BRANCHES: [&str; 2] = ["elif", "else"];

/// Checks the source of a template.
///
/// # Errors
/// The limit that is exceeded, as a requirement: `at most …, got …`.
pub(super) fn check(source: &str) -> Result<(), String> {
    if source.len() > MAX_BYTES {
        return Err(format!("must have at most 16 KiB (16,384 bytes), got {} bytes", source.len()));
    }
    let mut open_blocks: Vec<usize> = Vec::new();
    for Code { kind, text, .. } in code::all(source) {
        let counts = Counts::of(text);
        if counts.operators > MAX_OPERATORS {
            let found = counts.operators;
            return Err(format!(
                "must have at most {MAX_OPERATORS} operators, filters and accesses in one expression, got {found}"
            ));
        }
        if kind == Kind::Statement {
            match counts.first_word {
                "set" if is_assignment(text) => {}
                word if BLOCKS.contains(&word) => open_blocks.push(1),
                word if BRANCHES.contains(&word) => {
                    open_blocks.iter_mut().rev().take(1).for_each(|depth| *depth += 1)
                }
                word if word.starts_with("end") => drop(open_blocks.pop()),
                _ => {}
            }
        }
        let depth = open_blocks.iter().sum::<usize>() + counts.depth;
        if depth > MAX_DEPTH {
            return Err(format!("must be nested at most {MAX_DEPTH} levels deep, got {depth}"));
        }
    }
    Ok(())
}

/// Whether a statement `set` has the form `set name = value`, which is not a block.
fn is_assignment(code: &str) -> bool {
    code.find(['=', '|']).and_then(|at| code.get(at..)).is_some_and(|rest| rest.starts_with('='))
}

struct Counts<'s> {
    operators: usize,
    /// The maximum depth of brackets.
    depth: usize,
    first_word: &'s str,
}

impl<'s> Counts<'s> {
    fn of(code: &'s str) -> Self {
        let trimmed = code.trim_start_matches(['-', '+']).trim_start();
        let word_end = trimmed.find(|one: char| !is_word(one)).unwrap_or(trimmed.len());
        let mut counts = Counts { operators: 0, depth: 0, first_word: trimmed.get(..word_end).unwrap_or("") };
        let (mut depth, mut quote, mut is_escaped, mut word) = (0_usize, None, false, String::new());
        for character in code.chars().chain([' ']) {
            if let Some(open) = quote {
                match character {
                    _ if is_escaped => is_escaped = false,
                    '\\' => is_escaped = true,
                    one if one == open => quote = None,
                    _ => {}
                }
                continue;
            }
            if is_word(character) {
                word.push(character);
                continue;
            }
            counts.operators += usize::from(OPERATORS.contains(&word.as_str()));
            word.clear();
            match character {
                '"' | '\'' => quote = Some(character),
                '(' | '[' | '{' => {
                    depth += 1;
                    counts.depth = counts.depth.max(depth);
                    counts.operators += 1;
                }
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                one if one.is_whitespace() => {}
                _ => counts.operators += 1,
            }
        }
        counts
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
