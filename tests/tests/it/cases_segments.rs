//! The checks of the binary `cases`: the vectors of SMS parts pass, and the differences of failing cases are reported.

use cpaas_tests::cases::{check, run};

fn report(file: &str) -> (bool, String) {
    let mut out = Vec::new();
    let right = run(check("segments").unwrap(), file, &mut out).unwrap();
    (right, String::from_utf8(out).unwrap())
}

#[test]
fn the_vectors_pass() {
    for file in
        [include_str!("../../vectors/segments.json"), include_str!("../../vectors/segments_more.json")]
    {
        let (right, out) = report(file);
        assert!(right, "{out}");
    }
}

#[test]
fn differences_are_reported() {
    let (right, out) = report(
        r#"{"cases": [
            {"id": "count", "text": "Hello", "encoding": "gsm7", "segments": 2, "units": 6},
            {"id": "refused", "text": "я", "options": {"encoding": "gsm7"}, "encoding": "gsm7"},
            {"id": "answered", "text": "a", "options": {}, "error": "text.not_gsm7"},
            {"id": "replaced", "text": "…", "encoding": "ucs2", "replaced": null},
            {"id": "parts", "text": "a", "parts": [[0, 1, 0, 1, 2]]},
            {"id": "price", "text": "a", "price": "0.1", "total": "0.2"},
            {"id": "empty"},
            {"text": "right", "encoding": "gsm7"}
        ]}"#,
    );
    assert!(!right);
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[0], "\"count\": segments: expected 2, got 1; units: expected 6, got 5");
    assert!(lines[1].starts_with("\"refused\": expected a result, got the error: "));
    assert_eq!(lines[2], "\"answered\": error: expected \"text.not_gsm7\", got a result");
    assert!(lines[3].starts_with("\"replaced\": replaced: expected null, got "));
    assert_eq!(lines[4], "\"parts\": parts: expected [[0,1,0,1,2]], got [[0,1,0,1,1]]");
    assert_eq!(lines[5], "\"price\": total: expected \"0.2\", got \"0.1\"");
    assert_eq!(lines[7], "1/8");
}
