//! Records and problems that were stored as JSON are read back: every vector with a problem, a record or an outcome is written as the
//! same bytes again.

use cpaas::client::Client;
use cpaas::error::{Error, Outcome, Record};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::request::RequestContext;
use cpaas::{Config, OperationId, Problem, Report};
use cpaas_tests::cases::problems;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The lists of a report as text.
#[derive(Deserialize)]
struct Literal<'a> {
    #[serde(borrow)]
    errors: &'a RawValue,
    #[serde(borrow)]
    warnings: &'a RawValue,
}

fn file(path: &str) -> Value {
    let text = std::fs::read_to_string(cpaas_tests::root().join("tests/vectors").join(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn cases(path: &str) -> Vec<Value> {
    file(path)["cases"].as_array().unwrap().clone()
}

fn config(settings: &Value) -> Config {
    let mut config = file("config.json").as_object().unwrap().clone();
    config.extend(settings.as_object().cloned().unwrap_or_default());
    Config::from_json(&Value::Object(config).to_string()).unwrap()
}

fn problem_returns(problem: &Problem) {
    let stored = serde_json::to_string(problem).unwrap();
    let read: Problem = serde_json::from_str(&stored).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), stored);
    assert!(read == *problem, "{stored}");
    assert_eq!((read.to_string(), format!("{read:?}")), (problem.to_string(), format!("{problem:?}")));
}

fn report_returns(report: &Report) -> usize {
    let problems: Vec<_> = report.errors.iter().chain(&report.warnings).collect();
    problems.iter().for_each(|problem| problem_returns(problem));
    problems.len()
}

fn error_returns(error: &Error) {
    let stored = error.to_json();
    let read: Record = serde_json::from_str(&stored).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), stored);
    assert!(read == *error.record(), "{stored}");
    assert_eq!((read.processed(), read.retryable()), (error.processed(), error.retryable()), "{stored}");
    assert_eq!(format!("{read:?}"), format!("{:?}", error.record()));
    let read: Error = serde_json::from_str(&stored).unwrap();
    assert_eq!((read.to_json(), read.to_string()), (stored, error.to_string()));
    error.problems.iter().for_each(problem_returns);
}

#[test]
fn the_problems_of_every_vector_of_validation() {
    let mut seen = 0;
    for case in problems::all() {
        seen += report_returns(&problems::report(&case).unwrap());
        // The literal report of the vector.
        let Some(text) = case["report"].as_str() else { continue };
        let literal: Literal<'_> = serde_json::from_str(text).unwrap();
        for list in [literal.errors, literal.warnings] {
            let read: Vec<Problem> = serde_json::from_str(list.get()).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), list.get(), "{}", case["id"]);
        }
    }
    for case in cases("recipients.json") {
        let operation = OperationId::find(case["operation"].as_str().unwrap()).unwrap();
        let context = RequestContext::new(&config(&case["config"])).unwrap();
        seen +=
            report_returns(&operation.validate_json_with_defaults(&case["request"].to_string(), &context));
    }
    assert!(seen > 1_000, "{seen}");
}

#[tokio::test]
async fn the_records_of_every_vector_of_requests_and_responses() {
    let (mut records, mut warnings) = (0, 0);
    for operation in OperationId::ALL {
        for case in cases(&format!("requests/{operation}.json")) {
            let context = RequestContext::new(&config(&case["config"])).unwrap();
            if let Err(error) = operation.prepare_json(&case["request"].to_string(), &context) {
                error_returns(&error.with_reference(Some("306912345678".to_owned())));
                records += 1;
            }
        }
        let responses = file(&format!("responses/{operation}.json"));
        for case in responses["cases"].as_array().unwrap() {
            let headers = case["headers"].as_object().into_iter().flatten();
            let headers = headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
            let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
            let response = HttpResponse::new(status, headers.collect(), case["body"].as_str().unwrap());
            let client = Client::with_transport(&config(&Value::Null), move |_: HttpRequest| {
                let response = response.clone();
                async move { Ok(response) }
            })
            .unwrap();
            let result = client.call_json(*operation, &responses["request"].to_string()).await;
            match result {
                Ok(response) => {
                    response.warnings.iter().for_each(problem_returns);
                    warnings += response.warnings.len();
                }
                Err(error) => {
                    error_returns(&error);
                    records += 1;
                }
            }
            if let Some(name) = case["expect"].get("outcome") {
                let outcome: Outcome = serde_json::from_value(name.clone()).unwrap();
                assert_eq!(serde_json::to_value(outcome).unwrap(), *name);
            }
        }
    }
    println!("{records} records, {warnings} warnings");
    assert!(records >= 70 && warnings >= 20, "{records} {warnings}");
}
