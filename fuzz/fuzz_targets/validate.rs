//! Validates any text as the request of any operation. Pointers must lead to a value or to an absent member, fixes must fit
//! their string, and white space around the request must not change the report. The first byte chooses the operation.
#![no_main]

use cpaas::{OperationId, Problem};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fn is_value_or_absent_member(request: &Value, pointer: &str) -> bool {
    let mut existing = pointer;
    while request.pointer(existing).is_none() {
        let Some((parent, _)) = existing.rsplit_once('/') else { return false };
        existing = parent;
    }
    existing.len() == pointer.len() || request.pointer(existing).is_some_and(Value::is_object)
}

fn assert_fix_fits(request: &Value, problem: &Problem) {
    let (Some(fix), Some(text)) = (&problem.fix, request.pointer(&problem.pointer).and_then(Value::as_str)) else { return };
    if fix.op == "replace" {
        assert!(text.is_char_boundary(fix.start) && text.is_char_boundary(fix.end) && fix.start <= fix.end);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let operation = OperationId::ALL[usize::from(first) % OperationId::ALL.len()];
    let report = operation.validate_json(text);
    assert_eq!(report.ok, report.errors.is_empty());
    let Ok(request) = serde_json::from_str::<Value>(text) else { return };
    assert_eq!(operation.validate_json(&format!("\n{text} ")), report);
    for problem in report.errors.iter().chain(&report.warnings) {
        assert!(is_value_or_absent_member(&request, &problem.pointer), "{} {}", problem.pointer, problem.code);
        assert_fix_fits(&request, problem);
    }
});
