//! Queries of the provider's records after an unknown outcome, pages, dropped calls, and retries on a paused clock.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::client::{CallOptions, Client, RawCall, TransportError};
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas::http::{Family, Method};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::operation::RetrySafety;
use cpaas::{OperationId, otp, sms};
use cpaas_tests::examples::{config, example};
use futures_util::StreamExt;
use serde_json::{Value, json};

type Response = Result<HttpResponse, TransportError>;
type Log = Arc<Mutex<Vec<String>>>;

/// A transport that responds from a script and records its requests.
fn scripted(script: impl Fn(&str, usize) -> Response + Send + Sync + 'static) -> (Client, Log) {
    let log = Log::default();
    let kept = log.clone();
    let script = Arc::new(script);
    let transport = move |request: HttpRequest| {
        let path = request.url.trim_start_matches("http://cpaas.test");
        let line = format!("{} {path}", request.method.as_str());
        let mut log = kept.lock().unwrap();
        let nth = log.iter().filter(|seen| **seen == line).count();
        log.push(line.clone());
        let response = script(&line, nth);
        async move { response }
    };
    (Client::with_transport(&config("http://cpaas.test"), transport).unwrap(), log)
}

fn lost() -> Response {
    Err(TransportError::new(SentState::Maybe, Reason::Reset))
}

fn ok(body: Value) -> Response {
    Ok(HttpResponse::new(200, vec![], body.to_string()))
}

async fn call(client: &Client, id: &str) -> Result<Value, Error> {
    let response = client.call_json(OperationId::find(id).unwrap(), example(id).request).await?;
    Ok(serde_json::from_str(&response.value).unwrap())
}

fn limit(name: &str, description: &str) -> Value {
    json!({"sid": "LM9", "name": name, "buckets": "[{\"name\":\"b\",\"max\":\"3\",\"interval\":\"60\"}]", "description": description})
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_is_found_by_name_on_the_second_page_is_evidence_and_not_proof() {
    for first in [0, 1] {
        let (client, log) = scripted(move |line, _| match line {
            "POST /2fa/limits" => lost(),
            "GET /2fa/limits/search" => {
                ok(json!({"code": 200, "data": {"result": [limit("other", "d")], "page": first, "total": 2}}))
            }
            _ => ok(
                json!({"code": 200, "data": {"result": [limit("limit_on_ip", "d")], "page": first + 1, "total": 2}}),
            ),
        });
        let error = call(&client, "otp.limits.create").await.unwrap_err();
        assert_eq!(error.outcome, Outcome::Unknown);
        let evidence = "the provider's records contain a record with this name and the same content: LM9";
        assert_eq!(error.evidence.as_deref(), Some(evidence));
        let second = format!("GET /2fa/limits/search?page={}", first + 1);
        assert_eq!(*log.lock().unwrap(), ["POST /2fa/limits", "GET /2fa/limits/search", second.as_str()]);
    }
}

/// The warning says that the result was read from the records. The result contains no `message`, because the provider returned none.
#[tokio::test(start_paused = true)]
async fn a_result_from_the_records_has_a_warning() {
    let (client, _) = scripted(|line, _| match line {
        "POST /2fa/cancel" => lost(),
        _ => ok(json!({"sid": "OTP1", "status": "canceled"})),
    });
    let id = OperationId::OtpCancel;
    let canceled = client.call_json(id, example("otp.cancel").request).await.unwrap();
    assert_eq!(canceled.warnings[0].code, "response.reconciled");
    assert!(!canceled.value.contains("message"), "{}", canceled.value);
}

/// Pages that form a cycle prove neither that the record exists nor that it does not.
#[tokio::test(start_paused = true)]
async fn cyclic_pages_leave_the_outcome_unknown() {
    let (client, log) = scripted(|line, _| match line {
        "POST /2fa/limits" => lost(),
        _ => ok(json!({"code": 200, "data": {"result": [limit("other", "d")], "page": 0, "total": 1000}})),
    });
    assert_eq!(call(&client, "otp.limits.create").await.unwrap_err().outcome, Outcome::Unknown);
    assert_eq!(log.lock().unwrap().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_record_of_another_workflow_is_not_evidence() {
    let steps = json!([{"channel": "voice", "interval": "60"}]);
    let (client, _) = scripted(move |line, _| {
        let record = json!({"sid": "WF2", "name": "plan", "channels": steps});
        if line.starts_with("PUT") { lost() } else { ok(json!({"code": 200, "data": record})) }
    });
    let error = call(&client, "otp.workflows.update").await.unwrap_err();
    assert_eq!((error.outcome, error.evidence.as_deref()), (Outcome::Unknown, None));
}

#[tokio::test(start_paused = true)]
async fn a_missing_limit_is_created_again_and_a_later_duplicate_stays_unknown() {
    let (client, log) = scripted(|line, nth| match (line, nth) {
        ("POST /2fa/limits", 0) => lost(),
        ("POST /2fa/limits", _) => {
            ok(json!({"code": 492, "message": "Limit with that Name already exists", "requestID": null}))
        }
        (_, 0) => ok(json!({"code": 200, "data": {"result": [], "page": 0, "total": 0}})),
        _ => ok(json!({"code": 200, "data": {"result": [limit("limit_on_ip", "d")], "page": 0, "total": 1}})),
    });
    let error = call(&client, "otp.limits.create").await.unwrap_err();
    assert_eq!((error.outcome, error.attempts), (Outcome::Unknown, 2));
    assert!(
        error.evidence.as_ref().is_some_and(|evidence| evidence.ends_with("the same content: LM9")),
        "{error:?}"
    );
    assert_eq!(log.lock().unwrap().len(), 4);
}

/// The record may be older than the call: records of limits and workflows have no time of creation.
#[tokio::test(start_paused = true)]
async fn an_old_record_with_the_same_content_does_not_make_a_lost_create_accepted() {
    let steps = json!([{"channel": "sms", "interval": "60"}, {"channel": "voice", "interval": "60"}]);
    for (id, sid) in [("otp.limits.create", "LM9"), ("otp.workflows.create", "WF9")] {
        let request: Value = serde_json::from_str(example(id).request).unwrap();
        let mut record = request.clone();
        record["sid"] = json!(sid);
        if id == "otp.workflows.create" && record["channels"].is_null() {
            record["channels"] = steps.clone();
        }
        for sid_value in [json!(sid), json!("LM 9\n"), json!(7), Value::Null] {
            let mut record = record.clone();
            record["sid"] = sid_value.clone();
            let (client, log) = scripted(move |line, _| {
                let body = json!({"code": 200, "data": {"result": [record], "page": 0, "total": 1}});
                if line.starts_with("POST") { lost() } else { ok(body) }
            });
            let error = call(&client, id).await.unwrap_err();
            assert_eq!(
                (error.outcome, error.sent, error.attempts),
                (Outcome::Unknown, SentState::Maybe, 1),
                "{id}"
            );
            let evidence = error.evidence.clone().unwrap();
            assert!(evidence.contains("the same content"), "{id}: {evidence}");
            assert_eq!(evidence.ends_with(sid), sid_value == json!(sid), "{id}: {evidence}");
            assert_eq!(log.lock().unwrap().len(), 2, "{id}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_the_same_name_with_another_description_is_not_evidence() {
    let (client, _) = scripted(|line, _| match line {
        "POST /2fa/limits" => lost(),
        _ => ok(
            json!({"code": 200, "data": {"result": [limit("limit_on_ip", "another")], "page": 0, "total": 1}}),
        ),
    });
    assert_eq!(call(&client, "otp.limits.create").await.unwrap_err().outcome, Outcome::Unknown);
}

#[tokio::test(start_paused = true)]
async fn a_duplicate_at_the_first_attempt_is_a_rejection() {
    let modes = [(492, 492), (409, 492), (200, 492)];
    for (status, code) in modes {
        let (client, log) = scripted(move |_, _| {
            let body =
                json!({"code": code, "message": "Limit with that Name already exists", "requestID": null});
            Ok(HttpResponse::new(status, vec![], body.to_string()))
        });
        let error = call(&client, "otp.limits.create").await.unwrap_err();
        assert_eq!((error.outcome, error.code, error.attempts), (Outcome::Rejected, Some(492), 1));
        assert_eq!(error.provider_message.as_deref(), Some("Limit with that Name already exists"));
        assert_eq!(log.lock().unwrap().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_delete_whose_retry_finds_nothing_is_accepted() {
    for (id, code) in [("otp.limits.delete", 493), ("otp.workflows.delete", 499)] {
        let gone = move |_: &str, nth| {
            if nth == 0 { lost() } else { ok(json!({"code": code, "message": "Invalid"})) }
        };
        let (client, _) = scripted(gone);
        // The record was not received, so it is not in the result.
        assert_eq!(call(&client, id).await.unwrap(), json!({}));
        let (client, _) = scripted(move |_, _| ok(json!({"code": code, "message": "Invalid"})));
        assert_eq!(call(&client, id).await.unwrap_err().outcome, Outcome::Rejected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_workflow_update_is_sent_once_and_then_queried() {
    let steps = |kinds: &[&str]| {
        let steps: Vec<Value> = kinds.iter().map(|kind| json!({"channel": kind, "interval": 60})).collect();
        json!({"code": 200, "data": {"sid": "WF1", "name": "plan", "channels": steps}})
    };
    // The workflow may have ended with these channels before the call: the record is evidence, not proof.
    let table: [(&[&str], &str); 4] = [
        (&["sms", "voice"], "now ends with these channels"),
        (&["voice", "voice"], "now ends with these channels"),
        (&["sms"], "does not end with these channels"),
        (&[], "does not end with these channels"),
    ];
    for (kinds, shown) in table {
        let body = steps(kinds);
        let (client, log) =
            scripted(move |line, _| if line.starts_with("PUT") { lost() } else { ok(body.clone()) });
        let error = call(&client, "otp.workflows.update").await.unwrap_err();
        assert_eq!(error.outcome, Outcome::Unknown, "{kinds:?}");
        assert!(error.evidence.as_ref().is_some_and(|evidence| evidence.contains(shown)), "{kinds:?}");
        assert_eq!(*log.lock().unwrap(), ["PUT /2fa/workflows/WF1", "GET /2fa/workflows/search/WF1"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_rejected_retry_of_a_cancellation_is_queried() {
    for (state, accepted) in [("canceled", true), ("success", false)] {
        let (client, _) = scripted(move |line, nth| match (line, nth) {
            ("POST /2fa/cancel", 0) => lost(),
            ("POST /2fa/cancel", _) => ok(json!({"code": 410, "message": "gone"})),
            _ => ok(json!({"sid": "OTP1", "status": state})),
        });
        let result = call(&client, "otp.cancel").await;
        assert_eq!(result.as_ref().is_ok_and(|value| value["code"] == 200), accepted, "{result:?}");
        if let Err(error) = result {
            // The first cancellation may still be in transit, independent of the second response.
            assert_eq!(error.outcome, Outcome::Unknown);
            assert!(error.evidence.as_ref().is_some_and(|evidence| evidence.contains("used")), "{error:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_lost_verification_only_a_recent_check_is_considered() {
    let table = [
        ("2024-02-29 12:00:00", "valid", None), // may be the check of another call, and a used code must not be valid again
        ("2024-02-29 12:00:00", "invalid", Some(400)),
        ("2024-02-29 11:50:00", "valid", None),
    ];
    for (at, status, code) in table {
        let (client, log) = scripted(move |line, _| {
            if line.starts_with("POST") {
                return lost();
            }
            let check = json!({"sid": "OTC1", "dateReceived": at, "status": status, "code": "482913"});
            let body = json!({"sid": "OTP1", "status": "success", "checks": [check]});
            let date = ("date".to_owned(), "Thu, 29 Feb 2024 12:00:01 GMT".to_owned());
            Ok(HttpResponse::new(200, vec![date], body.to_string()))
        });
        let verified = call(&client, "otp.verify").await;
        assert_eq!(verified.as_ref().ok().and_then(|value| value["code"].as_i64()), code, "{at} {status}");
        if let Err(error) = verified {
            assert_eq!(error.outcome, Outcome::Unknown);
            assert_eq!(error.evidence.is_some(), at.contains("12:00"), "{at} {status}");
            assert!(!error.to_json().contains("482913"));
        }
        assert_eq!(log.lock().unwrap().iter().filter(|line| line.starts_with("POST")).count(), 1);
    }
}

#[tokio::test]
async fn an_invalid_passcode_is_a_result_with_json_and_rejected_credentials_are_an_error() {
    for (code, is_response) in [(400, true), (404, true), (410, true), (401, false), (403, false)] {
        for status in [200, code] {
            let (client, _) = scripted(move |_, _| {
                Ok(HttpResponse::new(
                    status,
                    vec![],
                    json!({"code": code, "message": "m", "requestID": null}).to_string(),
                ))
            });
            let result = call(&client, "otp.verify").await;
            assert_eq!(result.is_ok_and(|response| response["code"] == code), is_response, "{code} {status}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_lost_first_attempt_the_outcome_stays_unknown() {
    // The first attempt may have been processed, although the retries are refused connections.
    let (client, log) = scripted(|_, nth| match nth {
        0 => lost(),
        _ => Err(TransportError::new(SentState::No, Reason::Connect)),
    });
    let error = call(&client, "otp.limits.update").await.unwrap_err();
    assert_eq!((error.outcome, error.sent, error.attempts), (Outcome::Unknown, SentState::Maybe, 3));
    assert_eq!(log.lock().unwrap().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn after_a_rejected_retry_of_a_lost_attempt_the_outcome_is_unknown() {
    for id in ["otp.limits.update", "otp.limits.delete", "webhooks.messenger_b.set"] {
        let (client, log) = scripted(|_, nth| match nth {
            0 => lost(),
            _ => Ok(HttpResponse::new(403, vec![], "")),
        });
        let error = call(&client, id).await.unwrap_err();
        assert_eq!(
            (error.outcome, error.sent, error.status),
            (Outcome::Unknown, SentState::Maybe, Some(403)),
            "{id}"
        );
        assert_eq!(log.lock().unwrap().len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn call_options_set_the_deadline_and_the_retry_of_unknown_outcomes() {
    let hang = |_: HttpRequest| std::future::pending::<Response>();
    let client = Client::with_transport(&config("http://cpaas.test"), hang).unwrap();
    let began = tokio::time::Instant::now();
    let error =
        client.with(CallOptions::new().deadline(Duration::from_secs(7))).call(send()).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::Deadline));
    assert_eq!(began.elapsed().as_secs(), 7);

    let (client, log) = scripted(|_, _| lost());
    let twice = client.with(CallOptions::new().retry_unknown(true).max_attempts(2));
    assert_eq!(twice.call(send()).await.unwrap_err().attempts, 2);
    assert_eq!(log.lock().unwrap().len(), 2);
}

fn send() -> sms::SendSms {
    sms::SendSms::new("Acme", "306912345678", "Your table is ready").reference("booking-7")
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_is_reported_once() {
    let recorded = Log::default();
    let kept = recorded.clone();
    let hang = |_: HttpRequest| std::future::pending::<Response>();
    let client =
        Client::with_transport(&config("http://cpaas.test"), hang).unwrap().on_outcome(move |event| {
            let line = format!(
                "{} {} {} {:?}",
                event.operation,
                event.ending.as_str(),
                event.sent.as_str(),
                event.reference
            );
            kept.lock().unwrap().push(line);
        });
    let _ = tokio::time::timeout(Duration::from_secs(1), client.call(send())).await;
    assert_eq!(*recorded.lock().unwrap(), [r#"sms.send abandoned maybe Some("booking-7")"#]);
}

/// A list whose pages repeat, or whose records are not as many as its total, does not end silently.
#[tokio::test]
async fn pages_that_repeat_are_an_error_and_a_contradicted_total_is_a_warning() {
    let page = |page: u64, records: usize, total: u64| {
        let result: Vec<Value> =
            (0..records).map(|number| limit(&format!("l{page}-{number}"), "d")).collect();
        json!({"code": 200, "message": "OK", "data": {"result": result, "page": page, "total": total}})
    };
    // The pages that the server returns, one after the other; the number of pages that the caller receives, whether an error
    // follows, and whether the last page has a warning.
    let table = [
        (vec![page(0, 2, 3), page(1, 1, 3)], 2, false, false),
        (vec![page(0, 2, 3), page(0, 2, 3)], 2, false, true), // more records than the total
        (vec![page(0, 2, 9), page(0, 2, 9)], 2, true, false),
        (vec![page(5, 2, 9), page(4, 2, 9)], 2, true, false),
        (vec![page(0, 2, 9), page(1, 0, 9)], 2, false, true),
        (vec![page(0, 0, 9)], 1, false, true),
        (vec![page(0, 5, 3)], 1, false, true),
        (vec![page(0, 0, 0)], 1, false, false),
    ];
    for (pages, received, has_error, has_warning) in table {
        let (bodies, nth) = (pages.clone(), Arc::new(Mutex::new(0)));
        let transport = move |_: HttpRequest| {
            let mut nth = nth.lock().unwrap();
            let body = bodies.get(*nth).cloned().unwrap_or(Value::Null);
            *nth += 1;
            async move { ok(body) }
        };
        let client = Client::with_transport(&config("http://cpaas.test"), transport).unwrap();
        let found: Vec<_> = client.pages(otp::limits::ListLimits::new()).collect().await;
        let (good, bad): (Vec<_>, Vec<_>) = found.into_iter().partition(Result::is_ok);
        assert_eq!((good.len(), bad.len()), (received, usize::from(has_error)), "{pages:?}");
        for error in bad {
            let error = error.unwrap_err();
            assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::Decode));
            assert!(error.message.contains("repeats a page"), "{error}");
        }
        let last = good.last().unwrap().as_ref().unwrap();
        let warned = last.warnings.iter().any(|warning| warning.code == "response.pages.total");
        assert_eq!(warned, has_warning, "{pages:?}");
    }
}

#[tokio::test]
async fn pages_are_read_to_the_end() {
    for first in [0_u64, 1] {
        let (client, log) = scripted(move |line, _| {
            let page = line.split_once("page=").map_or(first, |(_, page)| page.parse().unwrap());
            let rows = if page - first == 2 { 1 } else { 2 };
            ok(
                json!({"code": 200, "data": {"result": vec![limit("n", "d"); rows], "page": page, "total": 5}}),
            )
        });
        let pages: Vec<_> = client.pages(otp::limits::ListLimits::new()).collect().await;
        assert_eq!(pages.iter().map(|page| page.as_ref().unwrap().data.result.len()).sum::<usize>(), 5);
        assert_eq!(log.lock().unwrap().len(), 3);
    }
    for first in [0_u64, 1] {
        let (client, log) = scripted(move |line, _| {
            let page = line.split_once("page=").map_or(first, |(_, page)| page.parse().unwrap());
            let row = json!({"sid": "WF1", "name": "n", "channels": "[]", "description": "d"});
            ok(json!({"code": 200, "data": {"result": [row], "page": page, "total": 3}}))
        });
        let pages: Vec<_> = client.pages(otp::workflows::ListWorkflows::new()).collect().await;
        assert!(pages.iter().all(Result::is_ok));
        let asked = |page: u64| format!("GET /2fa/workflows/search?page={page}");
        let expected = ["GET /2fa/workflows/search".to_owned(), asked(first + 1), asked(first + 2)];
        assert_eq!(*log.lock().unwrap(), expected);
    }
    let (client, log) = scripted(|line, _| {
        let next = (!line.contains("page=1"))
            .then_some("/2fa/search?pageSize=2&page=1&accountSid=AC1&status=success");
        ok(json!({"page": 0, "next_page_uri": next, "twoFaOtpSdrs": [{"sid": "OTP1", "status": "success"}]}))
    });
    assert_eq!(client.pages(otp::SearchPasscodes::new()).count().await, 2);
    assert!(log.lock().unwrap()[1].contains("status=success"));
}

#[tokio::test(start_paused = true)]
async fn a_raw_call_has_the_credentials_and_outcomes_of_its_family() {
    let (client, log) = scripted(|_, _| lost());
    let call = RawCall::new(Method::Post, Family::Sms, "/new").query("a b", "ü").body(json!({"x": 1}));
    assert_eq!(client.call_raw(call.clone()).await.unwrap_err().attempts, 1);
    assert_eq!(log.lock().unwrap()[0], "POST /new?a%20b=%C3%BC");
    assert_eq!(client.call_raw(call.safety(RetrySafety::Read)).await.unwrap_err().attempts, 3);
    let keyed = |request: HttpRequest| async move {
        assert!(request.headers.iter().any(|(_, value)| value == "k-sms-91bc"));
        ok(json!({"responseCode": 902}))
    };
    let client = Client::with_transport(&config("http://cpaas.test"), keyed).unwrap();
    let refused = client.call_raw(RawCall::new(Method::Get, Family::Sms, "/new")).await.unwrap_err();
    assert_eq!((refused.outcome, refused.code), (Outcome::Rejected, Some(902)));
}

#[test]
fn the_blocking_client_works_outside_a_runtime_and_returns_an_error_inside() {
    let (client, _) = scripted(|_, _| ok(json!({"id": "M1", "responseCode": 0})));
    let client = cpaas::client::blocking::Client::over(client).unwrap();
    assert_eq!(client.call(send()).unwrap().id, "M1");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let error = runtime.block_on(async { client.call(send()) }).unwrap_err();
    assert_eq!((error.outcome, error.sent), (Outcome::Invalid, SentState::No));
    runtime.block_on(async move { drop(client) });
}
