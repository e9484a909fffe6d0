//! A response that belongs to another call is never accepted: ids that contradict the request, ids of other calls of the client,
//! and second copies of a response on a kept connection.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::client::{Client, TransportError};
use cpaas::error::{Outcome, Reason};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::otp::{Code, RequestId};
use cpaas::schema::Kind;
use cpaas::{Config, OperationId, otp, sms};
use cpaas_tests::examples::{config, example};
use cpaas_tests::fault_server::{ConnectionEnd, FaultServer, Reply, Request, response_bytes};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A client whose calls all receive the same response.
fn stub(config: &Config, body: &Value) -> Client {
    let body = body.to_string();
    let transport = move |_: HttpRequest| {
        let body = body.clone();
        async move { Ok::<_, TransportError>(HttpResponse::new(200, Vec::new(), body)) }
    };
    Client::with_transport(&config.clone().max_attempts(1), transport).unwrap()
}

fn strict() -> Config {
    config("http://127.0.0.1:9").accept_repeated_ids(false)
}

#[tokio::test]
async fn an_id_that_contradicts_the_request_is_a_mismatch() {
    let limit = json!({"code": 200, "message": "OK", "data": {"sid": "LM2", "name": "n"}});
    let workflow = json!({"code": 200, "message": "OK", "data": {"sid": "WF2", "name": "n"}});
    let other = json!({"code": 200, "message": "OK", "requestID": "OTP2"});
    let table = [
        ("otp.verify", other.clone()),
        ("otp.verify", json!({"code": 400, "message": "Invalid code", "requestID": "OTP2"})),
        ("otp.cancel", other),
        ("otp.get", json!({"sid": "OTP2", "status": "success"})),
        ("otp.limits.get", limit.clone()),
        ("otp.limits.update", limit.clone()),
        ("otp.limits.delete", limit),
        ("otp.workflows.get", workflow.clone()),
        ("otp.workflows.update", workflow.clone()),
        ("otp.workflows.delete", workflow),
        ("sms.send_bulk", json!({"responseCode": 0, "messages": [{"id": "1"}, {"id": "2"}, {"id": "3"}]})),
        ("lookup.numbers", json!([{"response": 0, "msisdn": "1"}, {"response": 0, "msisdn": "2"}])),
        ("lookup.numbers", json!([{"response": 0, "msisdn": "306900000000"}])),
        ("lookup.numbers_by_query", json!([{"response": 0, "msisdn": "306900000000"}])),
        ("sms.send", json!({"id": "m", "responseCode": 0, "to": "306900000000"})),
        (
            "sms.send_bulk",
            json!({"responseCode": 0, "messages": [{"id": "1", "to": "306912345678"}, {"id": "2", "to": "306900000000"}]}),
        ),
        (
            "messages.send_bulk",
            json!({"bulkId": "b", "messages": [{"messageId": "1", "destination": "306900000000"}]}),
        ),
        ("messages.send_bulk", json!({"bulkId": "b", "messages": [{"messageId": "1"}, {"messageId": "2"}]})),
    ];
    for (id, body) in table {
        let client = stub(&strict(), &body);
        let operation = OperationId::find(id).unwrap();
        let error = client.call_json(operation, example(id).request).await.unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::Mismatch), "{id}: {body}");
        // The same for a program that sends the request itself.
        let prepared = operation.prepare_json(example(id).request, client.context()).unwrap();
        let response = HttpResponse::new(200, Vec::new(), body.to_string());
        let error = client.classify(&prepared, response).unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::Mismatch), "{id}: {body}");
    }
}

/// Replaces the recipients that a response can name by another number; returns whether there is one.
fn name_another(value: &mut Value, kind: Kind, names: &BTreeSet<&str>) -> bool {
    match (kind, value) {
        (Kind::Array(kind) | Kind::OneOrMany(kind), Value::Array(items)) => {
            items.iter_mut().filter_map(|item| name_another(item, *kind, names).then_some(())).count() > 0
        }
        (Kind::Object(schema), value) => schema.fields.iter().fold(false, |found, field| {
            if names.contains(field.wire) {
                value[field.wire] = json!("306900000000");
                return true;
            }
            let inner = value.get_mut(field.wire);
            inner.is_some_and(|inner| name_another(inner, field.kind, names)) || found
        }),
        _ => false,
    }
}

/// `expected` of an operation lists the recipients of a request if the response can name them.
#[tokio::test]
async fn a_response_that_names_another_recipient_is_a_mismatch() {
    let names: BTreeSet<&str> =
        OperationId::ALL.iter().filter_map(|operation| operation.meta().recipients).collect();
    let mut tested = BTreeSet::new();
    for operation in OperationId::ALL {
        let meta = operation.meta();
        let example = example(meta.id);
        let mut body: Value = serde_json::from_str(example.response).unwrap();
        if meta.recipients.is_none() || !name_another(&mut body, meta.output, &names) {
            continue;
        }
        tested.insert(meta.id);
        let error = stub(&strict(), &body).call_json(*operation, example.request).await.unwrap_err();
        assert_eq!(
            (error.outcome, error.reason),
            (Outcome::Unknown, Reason::Mismatch),
            "{}: {body}",
            meta.id
        );
    }
    let least =
        ["lookup.numbers", "lookup.numbers_by_query", "messages.send_bulk", "sms.send", "sms.send_bulk"];
    assert!(least.iter().all(|id| tested.contains(id)), "{tested:?}");
}

/// The documented response to every operation is accepted, with the same value as that of a call.
#[tokio::test]
async fn a_response_to_a_prepared_request_is_read_as_by_a_call() {
    for operation in OperationId::ALL {
        let id = operation.meta().id;
        let body: Value = serde_json::from_str(example(id).response).unwrap();
        let client = stub(&strict(), &body);
        let called = client.call_json(*operation, example(id).request).await.unwrap();
        let prepared = operation.prepare_json(example(id).request, client.context()).unwrap();
        let response = HttpResponse::new(200, Vec::new(), body.to_string());
        let read = client.classify(&prepared, response).unwrap();
        assert_eq!((&read.value, read.warnings.len()), (&called.value, called.warnings.len()), "{id}");
    }
}

/// The response can contain the number in another form, or masked.
#[tokio::test]
async fn a_recipient_in_another_form_is_not_a_mismatch() {
    for to in ["+30 691 234 5678", "6912345678", "30691XXX5678", "3069123*****", "306912345678", ""] {
        let body = json!([{"response": 0, "msisdn": to}]);
        let client = stub(&strict(), &body);
        let found = client.call_json(OperationId::LookupNumbers, example("lookup.numbers").request).await;
        assert!(found.is_ok(), "{to}: {found:?}");
    }
}

/// Results are in the order of the request (C). Each element names its number, so another order is a warning.
#[tokio::test]
async fn results_of_a_lookup_in_another_order_have_a_warning() {
    let (first, second) = ("306912345678", "306912345679");
    let table = [
        (vec![first, second], vec![Some(first), Some(second)], false),
        (vec![first, second], vec![Some(second), Some(first)], true),
        (vec![first, second], vec![Some("+30 691 234 5679"), Some(first)], true),
        (vec![first, second], vec![None, Some(second)], false),
        (vec![second, first, second], vec![Some(second), Some(second), Some(first)], true),
        (vec![first, first], vec![Some(first), Some(first)], false),
    ];
    for operation in [OperationId::LookupNumbers, OperationId::LookupNumbersByQuery] {
        for (numbers, elements, is_warned) in &table {
            let body: Vec<Value> =
                elements.iter().map(|number| json!({"response": 0, "msisdn": number})).collect();
            let client = stub(&strict(), &json!(body));
            let request = json!({"msisdn": numbers}).to_string();
            let found = client.call_json(operation, &request).await.unwrap();
            let is_ordered = found.warnings.iter().all(|warning| warning.code != "response.elements.order");
            assert_eq!(is_ordered, !is_warned, "{numbers:?} {elements:?}: {:?}", found.warnings);
        }
    }
}

/// One id for several channels does not show which of them it names.
#[tokio::test]
async fn an_id_that_a_failover_repeats_is_missing() {
    let request = example("messages.send_failover").request;
    let body = json!(["M1", "M1"]);
    let found = stub(&strict(), &body).call_json(OperationId::MessagesSendFailover, request).await.unwrap();
    assert_eq!(found.value, r#"["M1",null]"#);
    assert!(found.warnings.iter().any(|warning| warning.code == "response.elements.missing"));
    let repeating = stub(&strict().accept_repeated_ids(true), &body);
    let found = repeating.call_json(OperationId::MessagesSendFailover, request).await.unwrap();
    assert_eq!(found.value, r#"["M1","M1"]"#);
}

#[tokio::test]
async fn an_id_of_another_call_is_a_mismatch() {
    let minting = [
        "otp.send",
        "otp.limits.create",
        "otp.workflows.create",
        "sms.send",
        "sms.send_bulk",
        "messages.send",
        "messages.send_failover",
        "messages.send_bulk",
    ];
    for id in OperationId::ALL.iter().map(|operation| operation.meta().id) {
        let operation = OperationId::find(id).unwrap();
        let body: Value = serde_json::from_str(example(id).response).unwrap();
        let client = stub(&strict(), &body);
        client.call_json(operation, example(id).request).await.unwrap();
        let again = client.clone().call_json(operation, example(id).request).await;
        if minting.contains(&id) {
            let error = again.unwrap_err();
            assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::Mismatch), "{id}");
        } else {
            assert!(again.is_ok(), "{id}");
        }
        let client = stub(&strict().accept_repeated_ids(true), &body);
        client.call_json(operation, example(id).request).await.unwrap();
        let again = client.call_json(operation, example(id).request).await.unwrap();
        let warned = again.warnings.iter().any(|warning| warning.code == "response.id.repeated");
        assert_eq!(warned, minting.contains(&id), "{id}");
    }
}

#[tokio::test]
async fn a_repeated_id_of_a_test_send_is_accepted_with_a_warning() {
    let client = stub(&strict(), &json!({"id": "t", "responseCode": 0, "timestamp": "t", "test": true}));
    let send = || sms::SendSms::new("Acme", "306912345678", "Hi").test(true);
    assert!(client.call(send()).await.unwrap().warnings.is_empty());
    let again = client.call(send()).await.unwrap();
    assert_eq!(again.warnings[0].code, "response.id.repeated");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_one_of_many_parallel_calls_that_receive_the_same_id_is_accepted() {
    let client = stub(&strict(), &json!({"id": "same", "responseCode": 0}));
    let calls = (0..200).map(|_| {
        let client = client.clone();
        tokio::spawn(
            async move { client.call(sms::SendSms::new("Acme", "306912345678", "Hi")).await.is_ok() },
        )
    });
    let mut accepted = 0;
    for call in calls.collect::<Vec<_>>() {
        accepted += usize::from(call.await.unwrap());
    }
    assert_eq!(accepted, 1);
}

/// Responds like a provider that accepts the code 111111 and rejects all others; writes each response twice.
fn verifier(request: &Request) -> Reply {
    // A query of the records has no body, so it is rejected too.
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let response_body = if body["code"] == "111111" {
        json!({"code": 200, "message": "OK", "requestID": body["requestId"]})
    } else {
        json!({"code": 400, "message": "Invalid code", "requestID": null})
    };
    let once =
        response_bytes(200, "content-type: application/json\r\n", response_body.to_string().as_bytes());
    Reply::new([once.clone(), once].concat(), ConnectionEnd::Keep)
}

/// The client may read the second copy of a response as the response to the next call.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_copy_of_a_successful_response_verifies_no_wrong_code() {
    let server = FaultServer::serve(verifier).await.unwrap();
    let client = Client::new(&strict().otp_url(server.url()).max_attempts(1)).unwrap();
    let (mut right, mut wrong) = (0, 0);
    for number in 0..300 {
        let id = format!("OTP{number}");
        let ok =
            client.call(otp::VerifyPasscode::new("login", RequestId::new(&*id), Code::new("111111"))).await;
        right += usize::from(ok.is_ok_and(|verified| verified.is_ok()));
        let other = format!("OTP{number}x");
        let bad = client
            .call(otp::VerifyPasscode::new("login", RequestId::new(&*other), Code::new("222222")))
            .await;
        wrong += usize::from(bad.is_ok_and(|verified| verified.is_ok()));
    }
    assert_eq!(wrong, 0, "a wrong code passed");
    println!("{right} of 300 right codes verified");
}

/// The first request of the bytes read, if it is complete.
fn take_request(bytes: &mut Vec<u8>) -> Option<Request> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let body = bytes.get(end..end + length.unwrap_or(0_usize))?.to_vec();
    let length = end + body.len();
    bytes.drain(..length);
    Some(Request { method: "POST".to_owned(), path: String::new(), head, body, bytes: length })
}

/// Responds as [`verifier`] does, but writes the second copy after a delay, possibly during the next call.
async fn late_copies(mut stream: TcpStream, mut random: u64) -> Option<()> {
    let mut read = Vec::new();
    loop {
        let request = loop {
            if let Some(request) = take_request(&mut read) {
                break request;
            }
            if stream.read_buf(&mut read).await.ok()? == 0 {
                return None;
            }
        };
        let bytes = verifier(&request).bytes;
        let once = &bytes[..bytes.len() / 2];
        stream.write_all(once).await.ok()?;
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        tokio::time::sleep(Duration::from_micros((random >> 33) % 1500)).await;
        stream.write_all(once).await.ok()?;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delayed_second_copy_verifies_no_wrong_code() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for nth in 1.. {
            let Ok((stream, _)) = listener.accept().await else { return };
            tokio::spawn(late_copies(stream, nth));
        }
    });
    let client = Client::new(&strict().otp_url(url).max_attempts(1)).unwrap();
    let (mut wrong, mut refused, mut mismatches) = (0, 0, 0);
    for number in 0..600 {
        let _ = client
            .call(otp::VerifyPasscode::new(
                "login",
                RequestId::new(format!("OTP{number}")),
                Code::new("111111"),
            ))
            .await;
        match client
            .call(otp::VerifyPasscode::new(
                "login",
                RequestId::new(format!("OTP{number}x")),
                Code::new("222222"),
            ))
            .await
        {
            Ok(verified) if verified.is_ok() => wrong += 1,
            Ok(_) => panic!("a typed verification is valid or an error"),
            Err(error) if error.reason == Reason::NotVerified => refused += 1,
            Err(error) => {
                // Not sent: the connection of the late copy was closed before the request was written.
                assert!(matches!(error.outcome, Outcome::Unknown | Outcome::NotSent), "{error:?}");
                mismatches += usize::from(error.reason == Reason::Mismatch);
            }
        }
    }
    assert_eq!(wrong, 0, "a wrong code passed");
    println!("600 wrong codes: {refused} refused, {mismatches} responses of other calls found, 0 verified");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_two_sends_return_the_same_id_if_each_response_is_written_twice() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let server = FaultServer::serve(move |_| {
        let id = counted.fetch_add(1, Ordering::SeqCst);
        let response_body = json!({"id": format!("m{id}"), "responseCode": 0, "timestamp": "t"}).to_string();
        let once = response_bytes(200, "content-type: application/json\r\n", response_body.as_bytes());
        Reply::new([once.clone(), once].concat(), ConnectionEnd::Keep)
    });
    let server = server.await.unwrap();
    let client = Client::new(&strict().sms_url(server.url()).max_attempts(1)).unwrap();
    let mut ids = std::collections::HashSet::new();
    for _ in 0..300 {
        match client.call(sms::SendSms::new("Acme", "306912345678", "Hi")).await {
            Ok(sent) => assert!(ids.insert(sent.id.clone()), "an id was returned twice"),
            Err(error) => {
                assert!(matches!(error.outcome, Outcome::Unknown | Outcome::NotSent), "{error:?}");
            }
        }
    }
    assert!(server.requests().len() <= 300, "a call was sent twice");
    println!("{} of 300 sends accepted", ids.len());
}

/// The result of a call as JSON, or its outcome and reason.
async fn result(config: &Config, id: &str, request: &str, body: &Value) -> Result<Value, (Outcome, Reason)> {
    let client = stub(config, body);
    let result = client.call_json(OperationId::find(id).unwrap(), request).await;
    let response = result.map_err(|error| (error.outcome, error.reason))?;
    let mut value: Value = serde_json::from_str(&response.value).unwrap();
    let codes: Vec<&str> = response.warnings.iter().map(|warning| &*warning.code).collect();
    if value.is_array() {
        value = json!({ "list": value });
    }
    value["codes"] = json!(codes);
    Ok(value)
}

const A: &str = "306912345671";
const B: &str = "306912345672";
const C: &str = "306912345673";

/// Ids and recipients of the elements; the outcome of each element, and the counts of accepted and missing ones.
type Case = (&'static [(&'static str, &'static str)], &'static [&'static str], i64, i64);

/// The recipients of a bulk response are compared with those of the request as a multiset.
#[tokio::test]
async fn an_element_that_repeats_a_recipient_or_an_id_is_not_the_element_of_another_recipient() {
    let request = format!(r#"{{"from":"Acme","to":"{A},{B},{C}","text":"Hi"}}"#);
    let chat = json!({
        "trafficAccountId": "0f8fad5b-d9cb-469f-a165-70867728950e", "destinations": [A, B, C],
        "sms": {"text": "Hi", "sender": "Acme"}
    })
    .to_string();
    #[rustfmt::skip]
    let table: &[Case] = &[
        (&[("1", A), ("2", B), ("3", C)], &["accepted", "accepted", "accepted"], 3, 0),
        (&[("3", C), ("1", A), ("2", B)], &["accepted", "accepted", "accepted"], 3, 0),
        (&[("1", A), ("2", A), ("3", B)], &["accepted", "missing", "accepted"], 2, 1),
        (&[("1", A), ("2", A), ("3", A)], &["accepted", "missing", "missing"], 1, 2),
        (&[("1", A), ("1", B), ("1", C)], &["accepted", "missing", "missing"], 1, 2),
        (&[("1", A), ("2", "+30 691 234 5671"), ("3", B)], &["accepted", "missing", "accepted"], 2, 1),
        (&[("1", ""), ("2", "3069XXXXX71"), ("3", C)], &["accepted", "accepted", "accepted"], 3, 0),
        (&[("1", A), ("2", B)], &["accepted", "accepted"], 2, 1),
    ];
    for (elements, outcomes, accepted, missing) in table {
        let sms = elements.iter().map(|(id, to)| json!({"id": id, "to": to})).collect::<Vec<_>>();
        let sms =
            result(&strict(), "sms.send_bulk", &request, &json!({"responseCode": 0, "messages": sms})).await;
        let messages = elements.iter().map(|(id, to)| json!({"messageId": id, "destination": to}));
        let body = json!({"bulkId": "b", "messages": messages.collect::<Vec<_>>()});
        for found in [sms, result(&strict(), "messages.send_bulk", &chat, &body).await] {
            let found = found.unwrap();
            let shown: Vec<&str> = found["messages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["outcome"].as_str().unwrap())
                .collect();
            assert_eq!(shown, *outcomes, "{elements:?}");
            assert_eq!(
                (&found["accepted"], &found["missing"]),
                (&json!(accepted), &json!(missing)),
                "{elements:?}"
            );
            let has_warning =
                found["codes"].as_array().unwrap().contains(&json!("response.elements.missing"));
            assert_eq!(has_warning, *missing > 0, "{elements:?}");
        }
    }
    // A number listed twice receives two messages.
    let twice = format!(r#"{{"from":"Acme","to":"{A},{A},{B}","text":"Hi"}}"#);
    let body = json!({"responseCode": 0, "messages": [{"id": "1", "to": A}, {"id": "2", "to": A}, {"id": "3", "to": B}]});
    assert_eq!(result(&strict(), "sms.send_bulk", &twice, &body).await.unwrap()["accepted"], 3);
    // A stub that always returns one id.
    let body = json!({"responseCode": 0, "messages": [{"id": "1"}, {"id": "1"}, {"id": "1"}]});
    let stubbed = strict().accept_repeated_ids(true);
    assert_eq!(result(&stubbed, "sms.send_bulk", &request, &body).await.unwrap()["accepted"], 3);
}

#[tokio::test]
async fn a_lookup_that_repeats_a_number_lacks_another_one() {
    let request = json!({"msisdn": [A, B, C]}).to_string();
    let results = |numbers: &[&str]| -> Value {
        numbers.iter().map(|number| json!({"response": 0, "msisdn": number, "cost": 1})).collect()
    };
    for (numbers, is_complete) in
        [(&[A, B, C][..], true), (&[A, A, B][..], false), (&[A, A, A][..], false), (&[C, A][..], false)]
    {
        let found = result(&strict(), "lookup.numbers", &request, &results(numbers)).await.unwrap();
        let has_warning = found["codes"].as_array().unwrap().contains(&json!("response.elements.missing"));
        assert_eq!(has_warning, !is_complete, "{numbers:?}");
    }
}

#[tokio::test]
async fn a_failover_has_one_id_for_each_channel() {
    let request = example("messages.send_failover").request; // two channels
    let unknown = |reason| Err((Outcome::Unknown, reason));
    let missing = |ids: Value| Ok(json!({"list": ids, "codes": ["response.elements.missing"]}));
    let table = [
        (json!(["M1", "M2"]), Ok(json!({"list": ["M1", "M2"], "codes": []}))),
        (json!(["M1"]), missing(json!(["M1"]))),
        (json!(["M1", "M1"]), missing(json!(["M1", null]))),
        (json!(["M1", ""]), missing(json!(["M1", ""]))),
        (json!(["M1", "M2", "M3"]), unknown(Reason::Mismatch)),
        (json!(["M1", "M1", "M1"]), unknown(Reason::Mismatch)),
        (json!([]), unknown(Reason::Decode)),
    ];
    for (body, expected) in table {
        let mut found = result(&strict(), "messages.send_failover", request, &body).await;
        if let Ok(found) = &mut found {
            // The example has fewer traffic accounts than channels.
            found["codes"].as_array_mut().unwrap().retain(|code| code != "failover.channels.count");
        }
        assert_eq!(found, expected, "{body}");
    }
}

#[tokio::test]
async fn a_success_in_the_form_of_a_cancel_verifies_nothing() {
    for message in ["canceled", "Canceled", " canceled "] {
        let body = json!({"code": 200, "message": message, "requestID": "OTP1"});
        let found = result(&strict(), "otp.verify", example("otp.verify").request, &body).await;
        assert_eq!(found, Err((Outcome::Unknown, Reason::Decode)), "{message}");
        assert!(result(&strict(), "otp.cancel", example("otp.cancel").request, &body).await.is_ok());
    }
    let sent = json!({"code": 200, "message": "OK", "requestID": "OTP1"});
    let found = result(&strict(), "otp.cancel", example("otp.cancel").request, &sent).await;
    assert_eq!(found, Err((Outcome::Unknown, Reason::Mismatch)), "the response to a send cancels nothing");
    let wrong = json!({"code": 410, "message": "canceled", "requestID": "OTP1"});
    assert_eq!(
        result(&strict(), "otp.verify", example("otp.verify").request, &wrong).await.unwrap()["code"],
        410
    );
}

#[tokio::test]
async fn a_success_that_contradicts_itself_verifies_nothing() {
    let verify = |body| async move {
        let request = example("otp.verify").request;
        result(&strict(), "otp.verify", request, &body).await.map(drop).map_err(|(outcome, _)| outcome)
    };
    for error in [json!("invalid"), json!(true), json!({"code": 1})] {
        let body = json!({"code": 200, "message": "OK", "requestID": "OTP1", "error": error});
        assert_eq!(verify(body.clone()).await, Err(Outcome::Unknown), "{body}");
    }
    for code in ["+200", "0200", "00200", "2e2", "-200"] {
        let body = json!({"code": code, "message": "OK", "requestID": "OTP1"});
        assert_ne!(verify(body).await, Ok(()), "{code}");
    }
}

/// A bucket and a step are models of requests, whose members are required there. In a response, each may be absent.
#[tokio::test]
async fn absent_members_of_buckets_and_steps_are_warnings() {
    let (limit, workflow) = (OperationId::OtpLimitsGet, OperationId::OtpWorkflowsGet);
    let table = [
        (limit, json!({"buckets": [{"name": "h", "max": "3", "interval": "60"}]}), vec![]),
        (
            limit,
            json!({"buckets": [{"name": "h", "max": null}]}),
            vec!["/data/buckets/0/max", "/data/buckets/0/interval"],
        ),
        (limit, json!({"buckets": r#"[{"max":3,"interval":60}]"#}), vec!["/data/buckets/0/name"]),
        (workflow, json!({"channels": [{"channel": "sms", "interval": 30}]}), vec![]),
        (workflow, json!({"channels": [{}]}), vec!["/data/channels/0/channel", "/data/channels/0/interval"]),
    ];
    for (operation, members, expected) in table {
        let request = example(operation.meta().id).request;
        let sid = serde_json::from_str::<Value>(request).unwrap()["sid"].clone();
        let mut data = json!({"sid": sid, "name": "n"});
        data.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let client = stub(&strict(), &json!({"code": 200, "message": "OK", "data": data}));
        let found = client.call_json(operation, request).await.unwrap();
        let inner = found.warnings.iter().filter(|warning| warning.pointer.contains("/0/"));
        let pointers: Vec<_> = inner.map(|warning| warning.pointer.as_str()).collect();
        assert_eq!(pointers, expected, "{members}: {:?}", found.warnings);
    }
}
