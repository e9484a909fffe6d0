//! JSON Lines: one object in each line.

use std::fmt;
use std::io::{BufRead, BufReader, Read};

use cpaas::printable::{MAX_NAME, printable};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::hashing_reader::HashingReader;
use super::{Source, unreadable};
use crate::error::{Error, Result};
use crate::template::Columns;

/// Rows of a file with one JSON object in each line. Empty lines are skipped.
pub struct JsonLinesSource<R: Read> {
    lines: BufReader<HashingReader<R>>,
    line: u64,
}

impl<R: Read> JsonLinesSource<R> {
    /// Reads from `reader`.
    pub fn new(reader: R) -> Self {
        Self { lines: BufReader::with_capacity(1 << 16, HashingReader::new(reader)), line: 0 }
    }

    fn object(&self, bytes: &[u8]) -> Result<Columns> {
        let line = self.line;
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Error::Source(format!("line {line}: the file must be UTF-8")))?;
        match serde_json::from_str(text) {
            Ok(Row { columns, repeated: None }) => Ok(columns),
            Ok(Row { repeated: Some(name), .. }) => Err(Error::Source(format!(
                "line {line}: each member must occur once, got `{}` twice",
                printable(&name, MAX_NAME)
            ))),
            Err(error) if error.is_data() => {
                Err(Error::Source(format!("line {line}: must be a JSON object")))
            }
            Err(error) => Err(Error::Source(format!(
                "line {line}: must be a JSON object; the syntax error is at column {}",
                error.column()
            ))),
        }
    }
}

/// A JSON object, and the name of a member that occurs twice.
struct Row {
    columns: Columns,
    repeated: Option<String>,
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> std::result::Result<Row, A::Error> {
        let mut row = Row { columns: Columns::new(), repeated: None };
        while let Some((name, value)) = members.next_entry::<String, Value>()? {
            if row.columns.contains_key(&name) {
                row.repeated.get_or_insert(name);
            } else {
                row.columns.insert(name, value);
            }
        }
        Ok(row)
    }
}

impl<R: Read> Source for JsonLinesSource<R> {
    fn next_row(&mut self) -> Result<Option<Columns>> {
        let mut bytes = Vec::new();
        loop {
            self.line += 1;
            bytes.clear();
            let count =
                self.lines.read_until(b'\n', &mut bytes).map_err(|error| unreadable(self.line, &error))?;
            if count == 0 {
                return Ok(None);
            }
            let bytes =
                if self.line == 1 { bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes) } else { &bytes };
            if !bytes.trim_ascii().is_empty() {
                return self.object(bytes).map(Some);
            }
        }
    }

    fn line(&self) -> Option<u64> {
        Some(self.line)
    }

    fn digest(&self) -> Option<String> {
        self.lines.get_ref().digest().get().cloned()
    }
}

/// `Debug` shows the number of the last line, and no value.
impl<R: Read> std::fmt::Debug for JsonLinesSource<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JsonLinesSource").field("line", &self.line).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(bytes: &[u8]) -> String {
        let mut source = JsonLinesSource::new(bytes);
        loop {
            match source.next_row() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("no error"),
                Err(error) => return error.to_string(),
            }
        }
    }

    #[test]
    fn lines_are_objects_and_errors_name_the_line() {
        let mut source = JsonLinesSource::new("\u{FEFF}{\"a\": 1}\n\n{\"a\": \"γ\"}".as_bytes());
        assert_eq!(source.next_row().unwrap().unwrap()["a"], 1);
        assert_eq!(source.next_row().unwrap().unwrap()["a"], "γ");
        assert_eq!(source.next_row().unwrap(), None);
        assert!(source.digest().is_some());
        let twice = "line 2: each member must occur once, got `a` twice";
        assert_eq!(error_of(b"{\"a\": 1}\n{\"a\": 1, \"b\": 2, \"a\": 1}"), twice);
        assert_eq!(error_of(b"\"x\""), "line 1: must be a JSON object");
        assert_eq!(error_of(b"{}\n[1]"), "line 2: must be a JSON object");
        assert_eq!(error_of(b"{}\n{\"a\": \"\xE9\"}"), "line 2: the file must be UTF-8");
        assert_eq!(error_of(b"{\"a\" 1}"), "line 1: must be a JSON object; the syntax error is at column 6");
    }
}
