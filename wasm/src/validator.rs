//! The validation of requests.

use cpaas::{OperationId, Report, UnknownOperation};
use wasm_bindgen::prelude::wasm_bindgen;

/// The report on a request, as JSON, with at most `limit` problems (1,000 by default); `more` is the number of omitted
/// problems. `normalize` is the setting of that name of a client. For an unknown operation or setting, the result is a message,
/// which is not a JSON object. The request is UTF-8, because JavaScript encodes a long string faster than the glue copies it.
#[wasm_bindgen(js_name = validateText)]
#[must_use]
pub fn validate_text(
    operation: &str,
    request: &[u8],
    limit: Option<u32>,
    normalize: Option<String>,
) -> String {
    let Some(operation) = OperationId::find(operation) else {
        return UnknownOperation::new(operation).message();
    };
    let Ok(request) = str::from_utf8(request) else { return "the request must be UTF-8".to_owned() };
    let report = match normalize {
        None => Ok(operation.validate_json(request)),
        Some(name) => operation.validate_json_normalized(request, &name),
    };
    match report {
        Ok(report) => bounded(report, limit.map_or(1000, |limit| limit as usize)),
        Err(error) => error.to_string(),
    }
}

/// The names of all operations, separated by spaces.
#[wasm_bindgen]
#[must_use]
pub fn operations() -> String {
    OperationId::NAMES.join(" ")
}

/// The report as JSON, with at most `limit` problems, the most severe ones.
pub(crate) fn bounded(mut report: Report, limit: usize) -> String {
    report.limit(limit);
    report.to_json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_operation_is_an_error() {
        let unknown = validate_text("sms.sent", b"{}", None, None);
        assert_eq!(unknown, "unknown operation; did you mean `sms.send`?");
    }

    #[test]
    fn numbers_are_normalized() {
        let request = br#"{"from":"Acme","to":"+30 691 234 5678","text":"Hi"}"#;
        let report = validate_text("sms.send", request, None, Some("international".to_owned()));
        assert!(report.starts_with(r#"{"ok":true"#) && report.contains("number.normalized"), "{report}");
    }

    /// The info about the parts comes before the warnings about the members `a` and `b`.
    #[test]
    fn the_problems_that_are_kept_have_the_order_of_the_fields() {
        let text = "x".repeat(200);
        let request = format!(r#"{{"from":"Acme","to":"306912345678","text":"{text}","a":1,"b":1}}"#);
        let pointers = |limit: u32| -> Vec<String> {
            let json = validate_text("sms.send", request.as_bytes(), Some(limit), None);
            let report: serde_json::Value = serde_json::from_str(&json).unwrap();
            let warnings = report["warnings"].as_array().unwrap().iter();
            warnings.map(|problem| problem["pointer"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(pointers(3), ["/text", "/a", "/b"]);
        assert_eq!(pointers(2), ["/a", "/b"]);
        assert_eq!(pointers(1), ["/a"]);
        assert!(pointers(0).is_empty());
    }

    #[test]
    fn a_report_keeps_the_most_severe_problems() {
        let request = br#"{"from":"Acme","to":"306912345678","text":"","a":1,"b":1}"#;
        let report: serde_json::Value =
            serde_json::from_str(&validate_text("sms.send", request, Some(2), None)).unwrap();
        assert_eq!(
            (
                report["errors"].as_array().unwrap().len(),
                report["warnings"][0]["pointer"].as_str(),
                &report["more"]
            ),
            (1, Some("/a"), &1.into())
        );
        assert!(!validate_text("sms.send", request, None, None).contains("more"));
    }
}
