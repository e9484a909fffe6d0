//! Any text as the request of any operation: no panic, pointers that lead somewhere, and the same problems when the members
//! stand with other blanks. The first byte chooses the operation.
#![no_main]

use cpaas::{OperationId, Problem};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fn leads_somewhere(request: &Value, pointer: &str) -> bool {
    let parent = pointer.rsplit_once('/').and_then(|(parent, _)| request.pointer(parent));
    request.pointer(pointer).is_some() || parent.is_some_and(Value::is_object)
}

fn edits_fit(request: &Value, problem: &Problem) {
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
    for problem in report.errors.iter().chain(&report.warnings) {
        assert!(leads_somewhere(&request, &problem.pointer), "{} {}", problem.pointer, problem.code);
        edits_fit(&request, problem);
    }
});
