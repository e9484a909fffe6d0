//! The header of a table: which lines are one, the names of columns, and their aliases.

use std::collections::BTreeMap;

use cpaas::printable::{MAX_NAME, printable};

use crate::error::{Error, Result};

/// Names of columns with phone numbers, as [`folded`] returns them.
const NUMBER_NAMES: &[&str] = &[
    "phone",
    "phonenumber",
    "phoneno",
    "telephone",
    "telephonenumber",
    "tel",
    "mobile",
    "mobilenumber",
    "mobilephone",
    "cell",
    "cellphone",
    "cellnumber",
    "msisdn",
    "number",
    "to",
    "recipient",
    "recipients",
    "destination",
    "gsm",
    "sms",
    "whatsapp",
    "telefon",
    "telefonnummer",
    "handy",
    "handynummer",
    "mobil",
    "mobilnummer",
    "rufnummer",
    "téléphone",
    "telephoneportable",
    "portable",
    "numéro",
    "teléfono",
    "móvil",
    "celular",
    "número",
    "telefono",
    "cellulare",
    "numero",
    "telefone",
    "telemóvel",
    "κινητό",
    "τηλέφωνο",
    "αριθμός",
    "телефон",
    "номер",
    "numer", // typos: ignore
    "telefonu",
    "cep",
    "ceptelefonu",
];

/// Whether the name is one that columns with phone numbers have.
pub(crate) fn is_number_name(name: &str) -> bool {
    NUMBER_NAMES.contains(&folded(name).as_str())
}

/// The letters and digits of a name in lower case.
pub(crate) fn folded(name: &str) -> String {
    name.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The name by which a template can use a column whose name is not an identifier: lower case, with one underscore for each run of
/// other characters than letters and digits, and an underscore before a leading digit. `Phone Number` becomes `phone_number`. Empty
/// for a name with other than ASCII letters, because identifiers of templates are ASCII.
pub(crate) fn alias(name: &str) -> String {
    let words = name.split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty());
    let alias = words.map(str::to_lowercase).collect::<Vec<_>>().join("_");
    match alias.chars().next() {
        _ if !alias.is_ascii() => String::new(),
        Some('0'..='9') => format!("_{alias}"),
        _ => alias,
    }
}

/// The only column with this alias.
pub(crate) fn column_by_alias<'a>(
    names: impl IntoIterator<Item = &'a str>,
    expected: &str,
) -> Option<&'a str> {
    let mut found = names.into_iter().filter(|name| !expected.is_empty() && alias(name) == expected);
    found.next().filter(|_| found.next().is_none())
}

/// Whether a line is a header. No cell is a phone number, and some cell is the name of a column with numbers, or every cell that is
/// not empty has more than digits and separators.
pub(super) fn is_header(cells: &[String]) -> bool {
    let mut filled = cells.iter().filter(|cell| !cell.trim().is_empty()).peekable();
    if filled.peek().is_none() || filled.clone().any(|cell| digits(cell).is_some_and(|count| count >= 7)) {
        return false;
    }
    filled.clone().any(|cell| is_number_name(cell)) || filled.all(|cell| digits(cell).is_none())
}

/// The number of digits of a cell that has only digits and separators.
fn digits(cell: &str) -> Option<usize> {
    let is_digits = |one: char| one.is_numeric() || one.is_whitespace() || "+-().,/='\"".contains(one);
    cell.chars().all(is_digits).then(|| cell.chars().filter(|one| one.is_numeric()).count())
}

/// The maximum number of columns that a message lists.
const MAX_LISTED: usize = 20;

/// The columns of a table, for a message: `prefix` and their names, each in the given form. If a name may be a value, because the table has
/// no header, no name is shown.
#[must_use]
pub fn listed_columns(prefix: &str, columns: &[&str], form: impl Fn(&str) -> String) -> String {
    let is_plain = |name: &&&str| is_plain(name);
    let count = columns.iter().filter(is_plain).count();
    if count == 0 || columns.iter().any(|name| is_value(name)) {
        let word = if columns.len() == 1 { "1 column" } else { &format!("{} columns", columns.len()) };
        return format!(
            "the names of its {word} may be values and are not shown; a file begins with a header such as phone,name"
        );
    }
    let listed = columns.iter().filter(is_plain).take(MAX_LISTED).map(|name| form(name));
    let mut text = format!("{prefix} {}", listed.collect::<Vec<_>>().join(", "));
    if count > MAX_LISTED {
        text.push_str(", …");
    }
    match columns.len() - count {
        0 => {}
        1 => text.push_str(", and 1 whose name is not shown"),
        hidden => text.push_str(&format!(", and {hidden} whose names are not shown")),
    }
    text
}

/// Whether the name of a column has only letters, digits, `_`, `-` and spaces, and may not be a code.
fn is_plain(name: &str) -> bool {
    name.chars().all(|one| one.is_alphanumeric() || "_- ".contains(one)) && longest_digits(name) < 4
}

/// Whether a cell is rather a number, an address, a text or JSON than the name of a column.
fn is_value(name: &str) -> bool {
    let digits = name.chars().filter(|one| one.is_numeric()).count();
    digits >= 7
        || longest_digits(name) >= 5
        || name.contains(['@', '{', '}', '"'])
        || name.chars().count() > 40
        || name.split_whitespace().count() > 4
}

/// The length of the longest run of digits.
fn longest_digits(text: &str) -> usize {
    text.split(|one: char| !one.is_numeric()).map(|run| run.chars().count()).max().unwrap_or_default()
}

/// Whether the beginning of a file is that of a JSON object or array, which is not a table.
pub(super) fn is_json(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let inner = head.strip_prefix(b"[").or_else(|| head.strip_prefix(b"{")).map(<[u8]>::trim_ascii_start);
    inner.is_some_and(|inner| inner.first().is_none_or(|next| b"{[\"}]".contains(next)))
}

/// The error of a header with a line break in a name.
pub(super) fn line_break(line: u64) -> Error {
    Error::Source(format!(
        "line {line}: the name of a column must not contain a line break; check that its quote is closed"
    ))
}

/// The names of the columns. A cell without a name becomes `column_2`, by its position.
pub(super) fn names(cells: Vec<String>, line: u64) -> Result<Vec<String>> {
    let named = (1..).zip(cells).map(|(position, cell)| match cell.trim() {
        "" => numbered(position),
        name => name.to_owned(),
    });
    let names: Vec<String> = named.collect();
    let mut seen = BTreeMap::new();
    let twice = (1..).zip(&names).find_map(|(position, name): (usize, _)| {
        seen.insert(name.as_str(), position).map(|first| (name, first, position))
    });
    match twice {
        Some((twice, first, second)) => {
            let shown =
                if is_plain(twice) && !is_value(twice) { printable(twice, MAX_NAME) } else { "…".into() };
            Err(Error::Source(format!(
                "line {line}: the names of columns must differ, got `{shown}` twice, in the columns {first} and {second}"
            )))
        }
        None => Ok(names),
    }
}

/// The name of a column without a name, by its position from 1.
pub(super) fn numbered(position: usize) -> String {
    format!("column_{position}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_header_of(cells: &[&str]) -> bool {
        is_header(&cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_header_has_no_numbers_and_names() {
        for cells in [
            &["phone", "name"][..],
            &["name"],
            &["Phone Number", "2024", ""],
            &["", "Tel."],
            &["Name", "Größe (cm)"],
        ] {
            assert!(is_header_of(cells), "{cells:?}");
        }
        for cells in [
            &["306900000001", "Ann"][..],
            &["+30 690 000 0001"],
            &["Ann", "2024"],
            &["", " "],
            &["1", "2"],
            &["=\"306900000001\""],
        ] {
            assert!(!is_header_of(cells), "{cells:?}");
        }
    }

    fn listed(columns: &[&str]) -> String {
        listed_columns("the columns are", columns, str::to_owned)
    }

    #[test]
    fn plain_names_are_listed() {
        assert_eq!(
            listed(&["phone", "e-mail", "Κινητό", "first_name 2"]),
            "the columns are phone, e-mail, Κινητό, first_name 2"
        );
        assert_eq!(listed(&["phone", "Size (cm)"]), "the columns are phone, and 1 whose name is not shown");
        assert_eq!(
            listed(&["phone", "2024", "a/b"]),
            "the columns are phone, and 2 whose names are not shown"
        );
        let many: Vec<String> = (10..40).map(|number| format!("c{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let text = listed(&many);
        assert!(text.ends_with("c28, c29, …"), "{text}");
    }

    #[test]
    fn values_are_not_listed() {
        for columns in [
            &["mob: 306912345678", "Ann"][..],
            &["6912345678 (home)", "Ann"],
            &["Your code is 4711"],
            &["Ann", "+30 691 234 5678 x"],
            &["Ann", "ann@example.com"],
            &["Ann", "your parcel comes on Monday morning"],
            &["[{\"phone\":\"306912345678\"}]"],
            &["name", "24681"],
            &["Ann", "a-very-long-word-that-is-not-a-name-of-any-column"],
        ] {
            let word = if columns.len() == 1 { "1 column" } else { "2 columns" };
            let expected = format!(
                "the names of its {word} may be values and are not shown; a file begins with a header such as phone,name"
            );
            assert_eq!(listed(columns), expected);
        }
    }

    #[test]
    fn json_is_not_a_table() {
        for text in ["[{\"a\":1}]", "{\"a\":\"b\",\"c\":1}", "[\n{", " [ [1", "{\n  \"a\"", "[]", "{}", "["] {
            assert!(is_json(text.as_bytes()), "{text}");
        }
        for text in ["phone", "[name],phone", "{name}", "", "\"[\""] {
            assert!(!is_json(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn aliases_are_identifiers() {
        for (name, expected) in [
            ("Phone Number", "phone_number"),
            ("name", "name"),
            ("First name (legal)", "first_name_legal"),
            ("2024", "_2024"),
            ("Κινητό τηλ.", ""),
            ("e-mail", "e_mail"),
            ("%", ""),
        ] {
            assert_eq!(alias(name), expected);
        }
        assert_eq!(column_by_alias(["A b", "c"], "a_b"), Some("A b"));
        assert_eq!(column_by_alias(["A b", "a-B"], "a_b"), None);
    }
}
