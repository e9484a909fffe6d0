//! Reports with a limit of problems: the most severe ones are listed, `more` counts the others, and `ok` stays the same.

use cpaas::{OperationId, Problem, Report};

fn wrong_types(count: usize) -> String {
    format!(r#"{{"destinations":[{}]}}"#, vec!["1"; count].join(","))
}

fn found(report: &Report) -> Vec<(&str, &str)> {
    report.errors.iter().chain(&report.warnings).map(|problem| (&*problem.pointer, &*problem.code)).collect()
}

#[test]
fn a_report_below_the_limit_is_the_whole_report() {
    for request in
        ["", "[]", "{}", r#"{"from":1,"a":1,"a":2}"#, r#"{"from":"A","to":"306912345678","text":"x"}"#]
    {
        let whole = OperationId::SmsSend.validate_json(request);
        let problems = whole.errors.len() + whole.warnings.len();
        assert_eq!(OperationId::SmsSend.validate_json_limited(request, problems), whole, "{request}");
        assert_eq!(whole.more, 0);
        assert!(!whole.to_json().contains("more"));
    }
}

#[test]
fn wrong_types_are_listed_up_to_the_limit() {
    let report = OperationId::MessagesSendBulk.validate_json_limited(&wrong_types(5_000), 1_000);
    assert!(!report.ok);
    assert_eq!((report.errors.len(), report.warnings.len(), report.more), (1_000, 0, 4_000));
    let pointers: Vec<String> = (0..1_000).map(|index| format!("/destinations/{index}")).collect();
    assert_eq!(report.errors.iter().map(|one| one.pointer.clone()).collect::<Vec<_>>(), pointers);
    assert!(report.errors.iter().all(|problem| problem.code == "msg.field.type"));
    assert!(report.to_json().ends_with(r#","warnings":[],"more":4000}"#));
}

/// Values of wrong types that are not listed have no problems of other rules either.
#[test]
fn a_value_of_a_wrong_type_has_no_other_problem() {
    for limit in [0, 1, 2, 3, 4, 100] {
        let request = r#"{"destinations":[1,2,"x"],"sms":{"sender":"Acme","text":5}}"#;
        let whole = OperationId::MessagesSendBulk.validate_json(request);
        let report = OperationId::MessagesSendBulk.validate_json_limited(request, limit);
        let listed: Vec<&Problem> = whole.errors.iter().chain(&whole.warnings).collect();
        for problem in report.errors.iter().chain(&report.warnings) {
            assert!(listed.contains(&problem), "{limit}: {problem:?}");
        }
        assert!(!report.ok);
    }
}

#[test]
fn errors_of_rules_come_before_warnings_and_infos() {
    let invalid: Vec<String> = (0..30).map(|number| format!(r#""x{number}""#)).collect();
    let invalid = invalid.join(",");
    let request = format!(
        r#"{{"destinations":[{invalid}],"sms":{{"sender":"Acme","text":"x","a":1,"b":2}},"c":1,"c":2,"d":1}}"#
    );
    let whole = OperationId::MessagesSendBulk.validate_json(&request);
    let (errors, all) = (whole.errors.len(), found(&whole));
    assert!(errors > 20 && all.len() > errors + 3, "{all:?}");
    for limit in 0..all.len() + 2 {
        let report = OperationId::MessagesSendBulk.validate_json_limited(&request, limit);
        assert!(!report.ok);
        assert_eq!(report.errors.len(), limit.min(errors));
        assert_eq!(report.errors.len() + report.warnings.len() + report.more, all.len(), "{limit}");
        assert_eq!(found(&report)[..limit.min(errors)], all[..limit.min(errors)]);
    }
}

/// Warnings alone never make a request invalid, however many there are.
#[test]
fn a_request_with_warnings_only_is_ok() {
    let twice: Vec<String> = (0..300).map(|number| format!(r#""a{number}":1,"a{number}":2"#)).collect();
    let request = format!(r#"{{"from":"Acme","to":"306912345678","text":"x",{}}}"#, twice.join(","));
    for limit in [0, 1, 50] {
        let report = OperationId::SmsSend.validate_json_limited(&request, limit);
        assert!(report.ok && report.errors.is_empty());
        // 300 duplicates, 100 unknown fields, and the warning about the other unknown fields.
        assert_eq!((report.warnings.len(), report.more), (limit, 401 - limit));
    }
    let late = request.replace(r#""text":"x""#, r#""text":"""#);
    assert!(!OperationId::SmsSend.validate_json_limited(&late, 0).ok);
}

#[test]
fn a_report_can_be_shortened_later() {
    let mut report = OperationId::MessagesSendBulk.validate_json(&wrong_types(10));
    let all = found(&report).len();
    report.limit(4);
    report.limit(3);
    assert_eq!((report.errors.len(), report.warnings.len(), report.more), (3, 0, all - 3));
    report.limit(3);
    assert_eq!((report.errors.len(), report.more), (3, all - 3));
}

/// The rules see neutral values in place of those of a wrong type; their problems take no place of others.
#[test]
fn problems_of_neutral_values_use_up_no_limit() {
    let buckets = vec!["1"; 400].join(",");
    let limits = format!(r#"{{"name":"a","buckets":[{buckets}]}}"#);
    let texts: Vec<String> = (0..600).map(|number| format!(r#""x{number}""#)).collect();
    let destinations = format!(r#"{{"destinations":[{},{}]}}"#, texts.join(","), vec!["1"; 600].join(","));
    for (operation, request) in
        [(OperationId::OtpLimitsCreate, limits), (OperationId::MessagesSendBulk, destinations)]
    {
        let whole = operation.validate_json(&request);
        let report = operation.validate_json_limited(&request, 1_000);
        assert_eq!(report.errors.len(), whole.errors.len().min(1_000), "{operation}");
        let all = whole.errors.len() + whole.warnings.len();
        assert_eq!(report.errors.len() + report.warnings.len() + report.more, all, "{operation}");
    }
}

#[test]
fn problem_details_of_an_invalid_request_are_no_success() {
    let report = OperationId::SmsSend.validate_json_limited("{}", 0);
    assert!(!report.ok && report.errors.is_empty());
    assert_eq!(report.problem_details(Default::default())["status"], 422);
    let details = cpaas::problem::problem_details_json(&report.to_json(), Default::default()).unwrap();
    assert!(details.contains(r#""status":422"#), "{details}");
}
