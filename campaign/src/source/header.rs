//! The header of a table: which lines are one, the names of columns, and their aliases.

use std::collections::BTreeSet;

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
    let mut seen = BTreeSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(twice) => Err(Error::Source(format!(
            "line {line}: the names of columns must differ, got `{}` twice",
            printable(twice, MAX_NAME)
        ))),
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
