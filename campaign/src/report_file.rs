//! A file of delivery reports: JSON Lines, or JSON with a list of reports or one report.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::error::{Error, Result};

/// What a delivery report says about a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryReport {
    /// The reference of the message.
    pub reference: String,
    /// The delivery status, as the provider sends it.
    pub status: Option<String>,
}

impl From<&str> for DeliveryReport {
    fn from(reference: &str) -> Self {
        Self { reference: reference.to_owned(), status: None }
    }
}

impl From<String> for DeliveryReport {
    fn from(reference: String) -> Self {
        Self { reference, status: None }
    }
}

impl From<&String> for DeliveryReport {
    fn from(reference: &String) -> Self {
        Self::from(reference.as_str())
    }
}

/// The content of a file of delivery reports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportFile {
    /// The reports with a reference, in the order of the file; one may occur several times.
    pub reports: Vec<DeliveryReport>,
    /// Reports without a reference.
    pub without_reference: u64,
}

impl ReportFile {
    /// Opens and reads a file of delivery reports, see [`ReportFile::read`].
    ///
    /// # Errors
    /// When the file cannot be read or does not contain delivery reports; the message names the line.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path)
            .map_err(|error| Error::Source(format!("the file of reports cannot be read: {error}")))?;
        Self::read(BufReader::with_capacity(1 << 16, file))
    }

    /// Reads delivery reports: JSON objects, or lists of them. The reference of a report is read from the first of these
    /// members that has one, and the `status` from beside it. Other members are ignored.
    ///
    /// - `reference`: a report as the provider posts it
    /// - `event.reference`: a report as the receiver of callbacks returns it
    /// - `body`, or the query of `url`: an entry of a log of requests
    ///
    /// # Errors
    /// When the reports cannot be read or are not JSON objects; the message names the line.
    pub fn read(mut reader: impl BufRead) -> Result<Self> {
        let head = reader.fill_buf().map_err(|error| unreadable(&serde_json::Error::io(error)))?;
        let mark = if head.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        reader.consume(mark);
        let mut file = Self::default();
        let mut values = serde_json::Deserializer::from_reader(reader).into_iter::<Reports>();
        while let Some(Reports(found)) = values.next().transpose().map_err(|error| unreadable(&error))? {
            file.reports.extend(found.reports);
            file.without_reference += found.without_reference;
        }
        Ok(file)
    }

    fn add(&mut self, report: Report) {
        match report.read() {
            Some(report) => self.reports.push(report),
            None => self.without_reference += 1,
        }
    }
}

/// An error that names the line. It leaves out the parser's message, which may quote the file.
fn unreadable(error: &serde_json::Error) -> Error {
    let line = error.line();
    Error::Source(if error.is_io() {
        format!("reports, line {line}: the file cannot be read")
    } else {
        format!("reports, line {line}: each delivery report must be a JSON object in UTF-8")
    })
}

/// One value of the file: a report, or a list of reports. Only references and states are kept in memory.
struct Reports(ReportFile);

impl<'de> Deserialize<'de> for Reports {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut file = ReportFile::default();
        Collect(&mut file).deserialize(deserializer)?;
        Ok(Self(file))
    }
}

struct Collect<'a>(&'a mut ReportFile);

impl<'de> DeserializeSeed<'de> for Collect<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Collect<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a delivery report or a list of them")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(report) = list.next_element()? {
            self.0.add(report);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let report = Report::deserialize(MapAccessDeserializer::new(map))?;
        self.0.add(report);
        Ok(())
    }
}

/// The members that may contain the reference.
#[derive(Deserialize)]
struct Report {
    reference: Option<Value>,
    status: Option<Value>,
    event: Option<Value>,
    url: Option<Value>,
    body: Option<Value>,
}

impl Report {
    fn read(&self) -> Option<DeliveryReport> {
        let direct = of_members(self.reference.as_ref(), self.status.as_ref());
        direct.or_else(|| of_object(self.event.as_ref()?)).or_else(|| self.of_body()).or_else(|| {
            let (_, query) = self.url.as_ref()?.as_str()?.split_once('?')?;
            of_form(query)
        })
    }

    fn of_body(&self) -> Option<DeliveryReport> {
        match self.body.as_ref()? {
            Value::String(body) => match serde_json::from_str::<Value>(body) {
                Ok(value) => of_object(&value),
                Err(_) => of_form(body),
            },
            body => of_object(body),
        }
    }
}

fn of_object(value: &Value) -> Option<DeliveryReport> {
    of_members(value.get("reference"), value.get("status"))
}

fn of_members(reference: Option<&Value>, status: Option<&Value>) -> Option<DeliveryReport> {
    Some(DeliveryReport { reference: text(reference?)?, status: status.and_then(text) })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The reference and the status in a query or a form.
fn of_form(pairs: &str) -> Option<DeliveryReport> {
    // References of campaigns and states need no escapes. A value with an escape belongs to another program.
    let value = |expected: &str| {
        let mut pairs = pairs.split(['&', '#']).filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.find(|(name, _)| *name == expected)?;
        (!value.is_empty()).then(|| value.to_owned())
    };
    Some(DeliveryReport { reference: value("reference")?, status: value("status") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ReportFile {
        ReportFile::read(text.as_bytes()).unwrap()
    }

    fn references(file: &ReportFile) -> Vec<&str> {
        file.reports.iter().map(|report| report.reference.as_str()).collect()
    }

    #[test]
    fn reports_are_lines_a_list_or_one_object() {
        let lines = "\u{FEFF}{\"msgid\":\"m\",\"status\":\"delivered\",\"reference\":\"a-0-1\"}\n\n{\"reference\":\"a-1-1\"}\n";
        assert_eq!(references(&read(lines)), ["a-0-1", "a-1-1"]);
        let list =
            "[\n  {\"reference\": \"a-0-1\"},\n  {\"reference\": \"a-1-1\", \"extra\": {\"x\": [1]}}\n]\n";
        assert_eq!(references(&read(list)), ["a-0-1", "a-1-1"]);
        assert_eq!(references(&read("{\n  \"reference\": \"a-0-1\"\n}")), ["a-0-1"]);
        assert_eq!(read(""), ReportFile::default());
    }

    #[test]
    fn the_reference_is_also_read_from_events_and_logged_requests() {
        let text = r#"{"ok":true,"status":200,"event":{"kind":"sms_report","reference":"a-0-1"}}
            {"method":"GET","url":"http://127.0.0.1/r?msgid=m&reference=a-1-1&token=t"}
            {"method":"POST","url":"/r","body":"{\"reference\":\"a-2-1\"}"}
            {"method":"POST","url":"/r","body":"msgid=m&reference=a-3-1"}
            {"method":"POST","url":"/r","body":{"reference":"a-4-1"}}"#;
        assert_eq!(references(&read(text)), ["a-0-1", "a-1-1", "a-2-1", "a-3-1", "a-4-1"]);
    }

    #[test]
    fn the_status_is_the_one_beside_the_reference() {
        let text = r#"{"ok":true,"status":200,"event":{"reference":"a-0-1","status":"Delivered"}}
            {"status":"ignored","url":"http://127.0.0.1/r?status=failed&reference=a-1-1"}
            {"method":"POST","url":"/r?status=sent","body":"{\"reference\": \"a-2-1\", \"status\": \"seen\"}"}
            {"reference":"a-3-1","status":"expired","event":{"status":"sent"}}
            {"reference":"a-4-1","status":7}"#;
        let states: Vec<_> = read(text).reports.into_iter().map(|report| report.status).collect();
        let expected = [Some("Delivered"), Some("failed"), Some("seen"), Some("expired"), None];
        assert_eq!(states, expected.map(|state| state.map(str::to_owned)));
    }

    #[test]
    fn reports_without_a_reference_are_counted() {
        let found =
            read("{\"msgid\":\"m\"}\n{\"reference\":\"\"}\n{\"reference\":null}\n{\"reference\":\"a\"}");
        assert_eq!((found.reports.len(), found.without_reference), (1, 3));
    }

    #[test]
    fn errors_name_the_line_and_quote_nothing() {
        let error = |bytes: &[u8]| ReportFile::read(bytes).unwrap_err().to_string();
        let expected = "reports, line 2: each delivery report must be a JSON object in UTF-8";
        assert_eq!(error(b"{}\n\"secret\""), expected);
        assert_eq!(error(b"{}\n{\"reference\": secret}"), expected);
        assert_eq!(error(b"{}\n{\"reference\": \"\xE9\"}"), expected);
        assert_eq!(error(b"{}\n[1]"), expected);
        assert_eq!(error(b"{}\n{\"a\":"), expected);
        let missing = ReportFile::open(Path::new("/nonexistent/reports.json")).unwrap_err().to_string();
        assert!(missing.starts_with("the file of reports cannot be read: "), "{missing}");
    }
}
