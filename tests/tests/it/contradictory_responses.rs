//! After a contradictory or invalid response the outcome is unknown.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::OperationId;
use cpaas::client::{Client, TransportError};
use cpaas::error::{Error, Outcome};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas_tests::examples::{config, example};
use cpaas_tests::fault_server::{ConnectionEnd, FaultServer, Reply};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

async fn call(id: &str, status: u16, body: &str) -> Result<String, Error> {
    let body = body.to_owned();
    let transport = move |_: HttpRequest| {
        let body = body.clone();
        async move { Ok::<_, TransportError>(HttpResponse::new(status, Vec::new(), body)) }
    };
    let client = Client::with_transport(&config("http://127.0.0.1:9").max_attempts(1), transport).unwrap();
    client.call_json(OperationId::find(id).unwrap(), example(id).request).await.map(|response| response.value)
}

async fn outcome(id: &str, status: u16, body: &str) -> Option<Outcome> {
    call(id, status, body).await.err().map(|error| error.outcome)
}

/// JSON parsers disagree about which value of a repeated member is valid.
#[tokio::test]
async fn a_repeated_deciding_member_with_two_values_makes_the_outcome_unknown() {
    let table = [
        ("otp.verify", r#"{"code":200,"message":"OK","requestID":"OTP9","requestID":"OTP1"}"#),
        ("otp.verify", r#"{"code":400,"code":200,"message":"OK","requestID":"OTP1"}"#),
        ("otp.send", r#"{"code":200,"message":"OK","requestID":"OTP1","requestID":"OTP2"}"#),
        ("otp.limits.get", r#"{"code":200,"code":7,"message":"OK","data":{"sid":"LM1"}}"#),
        ("sms.send", r#"{"id":"M1","responseCode":902,"responseCode":0}"#),
        ("sms.send", r#"{"id":"M1","id":"M9","responseCode":0}"#),
        ("sms.convert", r#"{"responseCode":0,"responseCode":7}"#),
        ("messages.send", r#"{"messageId":"M1","messageId":7}"#),
        ("webhooks.messenger_b.set", r#"{"status":1,"status":0}"#),
        ("webhooks.messenger_c.set", r#"{"ok":false,"ok":true}"#),
    ];
    for (id, body) in table {
        for status in [200, 429, 500] {
            assert_eq!(outcome(id, status, body).await, Some(Outcome::Unknown), "{id} {status} {body}");
        }
    }
    assert_eq!(outcome("sms.send", 200, r#"{"id":"M1","responseCode":0,"responseCode":0}"#).await, None);
}

/// A verification is confirmed only by the documented success (A2, A3): HTTP 200 with the code 200, the message `OK` and the id of the request.
#[tokio::test]
async fn only_the_documented_success_verifies_a_passcode() {
    const SUCCESS: &str = r#"{"code":200,"message":"OK","requestID":"OTP1"}"#;
    assert_eq!(outcome("otp.verify", 200, SUCCESS).await, None);
    for status in [201, 202, 204, 299, 301, 400, 404, 408, 410, 429, 499, 500, 502, 503, 504, 599] {
        let found = outcome("otp.verify", status, SUCCESS).await;
        assert_eq!(found, Some(Outcome::Unknown), "{status}");
    }
    for body in [
        r#"{"code":200,"requestID":"OTP1"}"#,
        r#"{"code":200,"message":null,"requestID":"OTP1"}"#,
        r#"{"code":200,"message":"","requestID":"OTP1"}"#,
        r#"{"code":200,"message":"Invalid code","requestID":"OTP1"}"#,
        r#"{"code":200,"message":"canceled","requestID":"OTP1"}"#,
        r#"{"code":200,"message":"NOT OK","requestID":"OTP1"}"#,
        r#"{"code":200,"message":["OK"],"requestID":"OTP1"}"#,
        r#"{"code":200,"message":"OK","message":"Invalid code","requestID":"OTP1"}"#,
        r#"{"code":200,"message":"Invalid code","message":"OK","requestID":"OTP1"}"#,
        r#"{"code":"200","message":"OK","requestID":"OTP1"}"#,
        r#"{"responseCode":200,"message":"OK","requestID":"OTP1"}"#,
        r#"{"responseCode":0,"message":"OK","requestID":"OTP1"}"#,
        r#"{"code":200,"message":"OK"}"#,
        r#"[{"code":200,"message":"OK","requestID":"OTP1"}]"#,
        r#"{"data":{"code":200,"message":"OK","requestID":"OTP1"}}"#,
    ] {
        let found = outcome("otp.verify", 200, body).await;
        assert_eq!(found, Some(Outcome::Unknown), "{body}");
    }
}

/// The form of a failed verification is undocumented, so a success that another member denies proves nothing.
#[tokio::test]
async fn a_success_that_another_member_denies_verifies_no_passcode() {
    let denials = [
        r#""valid":false"#,
        r#""valid":"false""#,
        r#""valid":0"#,
        r#""isValid":false"#,
        r#""verified":false"#,
        r#""success":false"#,
        r#""ok":false"#,
        r#""status":"invalid""#,
        r#""status":"expired""#,
        r#""status":"failed""#,
        r#""result":"invalid""#,
        r#""result":{"valid":false}"#,
        r#""data":{"status":"invalid"}"#,
        r#""check":{"status":"invalid"}"#,
        r#""checks":[{"status":"invalid"}]"#,
        r#""reason":"wrong code""#,
        r#""error":"invalid""#,
        r#""errors":["invalid"]"#,
    ];
    for denial in denials {
        for body in [
            format!(r#"{{"code":200,"message":"OK","requestID":"OTP1",{denial}}}"#),
            format!(r#"{{{denial},"code":200,"message":"OK","requestID":"OTP1"}}"#),
        ] {
            let found = outcome("otp.verify", 200, &body).await;
            assert_eq!(found, Some(Outcome::Unknown), "{body}");
        }
    }
    // Members that deny nothing, and the words of the specification for a valid check and a used passcode.
    for other in [
        r#""valid":true"#,
        r#""status":"valid""#,
        r#""status":"success""#,
        r#""result":null"#,
        r#""data":null"#,
        r#""error":null"#,
        r#""error":false"#,
        r#""timestamp":"2024-02-29T12:00:00Z""#,
        r#""trace":{"id":"t-1"}"#,
        r#""attempts":3"#,
    ] {
        let body = format!(r#"{{"code":200,"message":"OK","requestID":"OTP1",{other}}}"#);
        assert_eq!(outcome("otp.verify", 200, &body).await, None, "{body}");
    }
}

/// Some operations have no documented response, so any response is accepted unless it looks like an error.
#[tokio::test]
async fn an_error_to_an_operation_without_a_documented_response_makes_the_outcome_unknown() {
    let bots = ["webhooks.messenger_c.set", "webhooks.messenger_c.delete", "webhooks.messenger_c.info"];
    for id in ["sms.convert"].into_iter().chain(bots) {
        for body in
            ["", "{}", r#"{"responseCode":null,"ok":null}"#, r#"{"error":null}"#, r#"{"error":false}"#]
        {
            // The webhook information must be an object, so an empty body is not accepted.
            let expected = (id.ends_with("info") && body.is_empty()).then_some(Outcome::Unknown);
            assert_eq!(outcome(id, 200, body).await, expected, "{id} {body}");
        }
        for body in [
            r#"{"error":"upstream timeout"}"#,
            r#"{"code":503,"message":"Service Unavailable"}"#,
            r#""login required""#,
            "login required",
            "<html></html>",
            r#"{"responseCode":"ERR_NO_CREDIT"}"#,
            r#"{"responseCode":7.5}"#,
            r#"{"ok":"perhaps"}"#,
        ] {
            assert_eq!(outcome(id, 200, body).await, Some(Outcome::Unknown), "{id} {body}");
        }
    }
    assert_eq!(outcome("sms.convert", 200, r#"{"responseCode":7}"#).await, Some(Outcome::Rejected));
    assert_eq!(outcome("webhooks.messenger_c.set", 200, r#"{"ok":false}"#).await, Some(Outcome::Rejected));
}

/// Status 101 is neither a success nor a rejection.
#[tokio::test]
async fn an_unexpected_status_class_makes_the_outcome_unknown() {
    for operation in OperationId::ALL {
        let id = operation.meta().id;
        for body in ["", example(id).response] {
            assert_eq!(outcome(id, 101, body).await, Some(Outcome::Unknown), "{id}");
        }
    }
}

#[tokio::test]
async fn a_number_that_json_parsers_round_is_not_an_id() {
    let sent = call("sms.send", 200, r#"{"id":18446744073709551615,"responseCode":0}"#).await.unwrap();
    assert!(sent.contains(r#""id":"18446744073709551615""#), "{sent}");
    let rounded = r#"{"id":18446744073709551617,"responseCode":0}"#;
    assert_eq!(outcome("sms.send", 200, rounded).await, Some(Outcome::AcceptedIdUnknown));
    let message = call("messages.send", 200, r#"{"messageId":9223372036854775808}"#).await.unwrap();
    assert!(message.contains(r#""messageId":"9223372036854775808""#), "{message}");
    assert_eq!(outcome("messages.send", 200, r#"{"messageId":1e30}"#).await, Some(Outcome::Unknown));
}

/// A rejection that names a created record is contradictory and is not retried.
#[tokio::test]
async fn a_rejection_with_an_id_makes_the_outcome_unknown() {
    for (id, body) in [
        ("lookup.numbers", r#"[{"id":"LK1","msisdn":"306912345678","response":7}]"#),
        ("sms.send", r#"{"id":"M1","responseCode":906}"#),
        ("sms.send_bulk", r#"{"responseCode":906,"messages":[]}"#),
        ("messages.send", r#"{"id":"M1","code":429,"message":"slow down"}"#),
        ("otp.send", r#"{"code":429,"message":"slow down","requestID":"OTP1"}"#),
    ] {
        for status in [429, 500] {
            assert_eq!(outcome(id, status, body).await, Some(Outcome::Unknown), "{id} {status}");
        }
    }
}

/// A code that reports a failure and an id contradict each other, also with HTTP 200.
#[tokio::test]
async fn http_200_with_a_failure_and_an_id_makes_the_outcome_unknown() {
    for (id, body) in [
        ("sms.send", r#"{"id":"M1","responseCode":990,"responseText":"x"}"#),
        ("sms.send", r#"{"id":7,"responseCode":902}"#),
        ("sms.send_bulk", r#"{"responseCode":990,"messages":[{"id":"1","to":"306912345678"}]}"#),
        ("otp.send", r#"{"code":990,"message":"x","requestID":"OTP1"}"#),
        ("otp.send", r#"{"code":492,"message":"x","requestID":"OTP1"}"#),
        ("lookup.numbers", r#"{"response":990,"id":"L1"}"#),
    ] {
        assert_eq!(outcome(id, 200, body).await, Some(Outcome::Unknown), "{id} {body}");
    }
    for (id, body) in [
        ("sms.send", r#"{"responseCode":990,"responseText":"x"}"#),
        ("sms.send", r#"{"id":null,"responseCode":902}"#),
        ("sms.send_bulk", r#"{"responseCode":902,"responseText":"x"}"#),
        ("otp.send", r#"{"code":492,"message":"x","requestID":null}"#),
        ("lookup.numbers", r#"{"response":902}"#),
    ] {
        assert_eq!(outcome(id, 200, body).await, Some(Outcome::Rejected), "{id} {body}");
    }
}

/// An element that is a rejection and has an id proves neither.
#[tokio::test]
async fn an_element_with_a_rejection_and_an_id_is_missing() {
    let body = r#"{"responseCode":0,"messages":[{"id":"1","to":"306912345678","responseCode":990}]}"#;
    assert_eq!(outcome("sms.send_bulk", 200, body).await, Some(Outcome::Unknown));
    let body = r#"{"responseCode":0,"messages":[{"id":"1","responseCode":990},{"id":"2"}]}"#;
    let sent: Value = serde_json::from_str(&call("sms.send_bulk", 200, body).await.unwrap()).unwrap();
    assert_eq!((&sent["accepted"], &sent["rejected"], &sent["missing"]), (&json!(1), &json!(0), &json!(1)));
    assert_eq!(sent["messages"][0]["outcome"], "missing");
}

/// The code of an element can be a string, as that of a whole response can.
#[tokio::test]
async fn an_element_with_the_code_of_a_failure_and_an_id_is_missing() {
    for code in [json!(990), json!("990"), json!(" 990 "), json!(990.0)] {
        let bulk = json!({"bulkId": "b", "messages": [{"messageId": "1", "code": code}]});
        assert_eq!(
            outcome("messages.send_bulk", 200, &bulk.to_string()).await,
            Some(Outcome::Unknown),
            "{code}"
        );
        let bulk = json!({"responseCode": 0, "messages": [{"id": "1", "responseCode": code}]});
        assert_eq!(outcome("sms.send_bulk", 200, &bulk.to_string()).await, Some(Outcome::Unknown), "{code}");
        let whole = json!({"bulkId": "b", "code": code, "messages": [{"messageId": "1"}]});
        assert_eq!(
            outcome("messages.send_bulk", 200, &whole.to_string()).await,
            Some(Outcome::Unknown),
            "{code}"
        );
    }
    for code in [json!(0), json!(200), json!("202"), Value::Null] {
        let bulk = json!({"bulkId": "b", "code": code, "messages": [{"messageId": "1", "code": code}]});
        assert_eq!(outcome("messages.send_bulk", 200, &bulk.to_string()).await, None, "{code}");
    }
    let rejected = json!({"bulkId": null, "messages": [{"code": "404"}]});
    assert_eq!(
        outcome("messages.send_bulk", 200, &rejected.to_string()).await,
        Some(Outcome::Rejected),
        "every element is a rejection"
    );
}

/// Without its id, the record can neither be changed nor deleted.
#[tokio::test]
async fn a_creation_without_the_id_of_its_record_is_accepted_with_an_unknown_id() {
    for id in ["otp.limits.create", "otp.workflows.create"] {
        for body in [r#"{"code":200}"#, r#"{"code":200,"data":null}"#, r#"{"code":200,"data":{"name":"n"}}"#]
        {
            for status in [200, 503] {
                let expected = Some(Outcome::AcceptedIdUnknown);
                assert_eq!(outcome(id, status, body).await, expected, "{id} {status} {body}");
            }
        }
    }
}

/// HTTP 429 with a permanent code of the provider's own is that rejection; it is not repeated.
#[tokio::test]
async fn http_429_with_a_permanent_code_is_that_rejection() {
    let cases = [
        ("otp.send", r#"{"code":400,"message":"no","requestID":null}"#, 400, 1),
        ("otp.send", r#"{"code":429,"message":"no","requestID":null}"#, 429, 3),
        ("otp.verify", r#"{"code":410,"message":"no","requestID":null}"#, 410, 1),
        ("sms.send", r#"{"responseCode":902,"responseText":"no"}"#, 902, 1),
        ("sms.send", r#"{"responseCode":906,"responseText":"no"}"#, 906, 3),
        ("sms.send_bulk", r#"{"responseCode":904,"responseText":"no"}"#, 904, 1),
        ("lookup.numbers", r#"{"response":910}"#, 910, 1),
        ("lookup.numbers", r#"{"response":906}"#, 906, 3),
        ("messages.send", r#"{"code":400,"message":"no"}"#, 400, 1),
        ("messages.send", r#"{"code":429,"message":"no"}"#, 429, 3),
        ("webhooks.messenger_b.set", r#"{"status":4,"status_message":"no"}"#, 4, 1),
        ("webhooks.messenger_c.set", r#"{"ok":false,"error_code":401,"description":"no"}"#, 401, 1),
        ("webhooks.messenger_c.set", r#"{"ok":false,"error_code":429,"description":"no"}"#, 429, 3),
    ];
    for (id, body, code, attempts) in cases {
        let sent = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&sent);
        let transport = move |_: HttpRequest| {
            counted.fetch_add(1, Ordering::SeqCst);
            let headers = vec![("retry-after".to_owned(), "1".to_owned())];
            async move { Ok::<_, TransportError>(HttpResponse::new(429, headers, body)) }
        };
        let client = Client::with_transport(&config("http://127.0.0.1:9"), transport).unwrap();
        let error = client.call_json(OperationId::find(id).unwrap(), example(id).request).await.unwrap_err();
        assert_eq!((error.outcome, error.code), (Outcome::Rejected, Some(code)), "{id} {body}");
        assert_eq!(sent.load(Ordering::SeqCst), attempts, "{id} {body}");
    }
}

/// A server that reads only the head of a request cannot know the request.
#[tokio::test]
async fn a_success_before_the_request_was_written_makes_the_outcome_unknown() {
    let text = "a".repeat(6_000_000);
    let request = json!({
        "trafficAccountId": "0f8fad5b-d9cb-469f-a165-70867728950e", "destination": "306912345678",
        "messenger_a": {"type": "regular", "regular": {"type": "text", "text": text}}
    })
    .to_string();
    let table = [
        (200, r#"{"messageId":"M1"}"#, false, Outcome::Unknown),
        (200, r#"{"messageId":"M1"}"#, true, Outcome::Unknown),
        (400, r#"{"code":400,"message":"no"}"#, false, Outcome::Rejected),
        (413, r#"{"code":413,"message":"no"}"#, true, Outcome::Rejected),
    ];
    for (status, body, is_cut, expected) in table {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 1024];
            let _ = stream.read(&mut head).await.unwrap();
            let length = body.len() + usize::from(is_cut && status == 200);
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
            );
            stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
            if is_cut {
                stream.shutdown().await.unwrap();
            }
            tokio::time::sleep(Duration::from_secs(30)).await;
        });
        let client = Client::new(&config(&url).max_attempts(1).timeout(Duration::from_secs(20))).unwrap();
        let result = client.call_json(OperationId::MessagesSend, &request).await;
        assert_eq!(result.map(|_| ()).unwrap_err().outcome, expected, "{status} {is_cut}");
        server.abort();
    }
    // The same success after the whole request was read.
    let server = FaultServer::serve(|_| Reply::json(200, r#"{"messageId":"M1"}"#)).await.unwrap();
    let client = Client::new(&config(&server.url()).max_attempts(1)).unwrap();
    for _ in 0..20 {
        assert!(client.call_json(OperationId::MessagesSend, &request).await.is_ok());
    }
}

/// The outcome of a response whose connection ends after the beginning of its body.
async fn outcome_when_cut(id: &str, status: u16, body: &'static str) -> Outcome {
    let head =
        format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{body}");
    let server = FaultServer::serve(move |_| Reply::new(head.clone(), ConnectionEnd::Fin)).await.unwrap();
    let client = Client::new(&config(&server.url()).max_attempts(1)).unwrap();
    client.call_json(OperationId::find(id).unwrap(), example(id).request).await.unwrap_err().outcome
}

/// The beginning of a success contradicts a status that reports a rejection, as the whole does.
#[tokio::test]
async fn a_cut_success_with_a_status_of_a_rejection_is_unknown() {
    let successes = [
        ("otp.send", r#"{"code":200,"mess"#),
        ("otp.send", r#"{"requestID":"OTP1","co"#),
        ("otp.limits.create", r#"{"code":200,"#),
        ("sms.send", r#"{"responseCode":0,"id":"a","ti"#),
        ("sms.send", r#"{"responseCode":0,"#),
        ("sms.send", r#"{"id":"a","ti"#),
        ("sms.send_bulk", r#"{"responseCode":0,"#),
        ("sms.send_bulk", r#"{"messages":[{"id":"1""#),
        ("sms.convert", r#"{"responseCode":0,"#),
        ("lookup.numbers", r#"[{"response":0},{"#),
        ("messages.send", r#"{"messageId":"M1","#),
        ("messages.send", r#"{"id":"M1","#),
        ("messages.send_failover", r#"["M1","M"#),
        ("messages.send_bulk", r#"{"bulkId":"B1","#),
        ("messages.send_bulk", r#"{"messages":[{"#),
        ("webhooks.messenger_b.set", r#"{"status":0,"#),
        ("webhooks.messenger_c.set", r#"{"ok":true,"#),
    ];
    for (id, body) in successes {
        for status in [302, 400, 403] {
            assert_eq!(outcome_when_cut(id, status, body).await, Outcome::Unknown, "{id} {status} {body}");
        }
    }
    let rejections = [
        ("otp.send", r#"{"code":400,"message":"no","#),
        ("sms.send", r#"{"responseCode":902,"resp"#),
        ("messages.send", r#"{"code":400,"message":"no","#),
        ("messages.send", r#"{"id":"request 7","code":400,"#),
        ("messages.send", "<html><body>"),
        ("webhooks.messenger_b.set", r#"{"status":1,"#),
        ("otp.get", r#"{"code":200,"#),
    ];
    for (id, body) in rejections {
        assert_eq!(outcome_when_cut(id, 403, body).await, Outcome::Rejected, "{id} {body}");
    }
    assert_eq!(outcome("sms.convert", 403, r#"{"responseCode":0}"#).await, Some(Outcome::Unknown));
    assert_eq!(outcome("webhooks.messenger_c.set", 403, r#"{"ok":true}"#).await, Some(Outcome::Unknown));
}

/// The beginning of a response does not prove more than the whole.
#[tokio::test]
async fn the_beginning_of_a_failure_with_http_200_is_unknown() {
    for (id, body) in [
        ("messages.send", r#"{"status":"error","errors":["x"]"#),
        ("messages.send", r#"{"status":"error","e"#),
        ("messages.send", r#"{"status":"err"#),
        ("messages.send", r#"{"errors":["x"#),
        ("messages.send", r#"{"error":{"messageId":"M1"},"messageId":"M1","#),
        ("messages.send", r#"{"code":400,"#),
        ("messages.send", r#"{"messageId":null,"#),
        ("messages.send", r#"["M1","#),
        ("messages.send_bulk", r#"{"status":"error","errors":["x"]"#),
        ("messages.send_bulk", r#"{"status":"err"#),
        ("messages.send_bulk", r#"{"messages":[],"#),
        ("messages.send_bulk", r#"{"messages":null,"#),
        ("messages.send_bulk", r#"{"bulkId":"B1","messages":[{"destination":"306912345678"}]"#),
        ("messages.send_bulk", r#"{"bulkId":"B1","messages":[{"code":400,"#),
        ("messages.send_bulk", r#"{"bulkId":"B1","messages":[{"code":400,"messageId":"M1"},{"#),
        ("messages.send_failover", r#"{"status":"error","#),
        ("messages.send_failover", r#"[{"code":400,"mess"#),
        ("messages.send_failover", "[null,"),
        ("sms.send_bulk", r#"{"responseCode":0,"messages":[],"#),
        ("sms.send_bulk", r#"{"responseCode":0,"messages":[{"responseCode":902,"#),
    ] {
        assert_eq!(outcome_when_cut(id, 200, body).await, Outcome::Unknown, "{id} {body}");
    }
    for (id, body) in [
        ("messages.send", ""),
        ("messages.send", r#"{"me"#),
        ("messages.send", r#"{"deliveryStatus":"Ready","#),
        ("messages.send", r#"{"priority":1,"messageId":"M1","status":"e"#),
        ("messages.send_bulk", r#"{"bulkId":"B1","messages":[{"destination":"306912345678","#),
        ("messages.send_bulk", r#"{"messages":[{"messageId":"M1"},{"code":400}],"#),
        ("messages.send_failover", r#"["#),
        ("messages.send_failover", r#"[null,"M2","#),
        ("sms.send_bulk", r#"{"responseCode":0,"messages":[{"id":"1"},"#),
    ] {
        assert_eq!(outcome_when_cut(id, 200, body).await, Outcome::AcceptedIdUnknown, "{id} {body}");
    }
}

/// The code of a failure beside an id of the family `messaging`, whatever the status.
#[tokio::test]
async fn an_id_beside_a_code_of_a_failure_makes_the_outcome_unknown() {
    for (id, body) in [
        ("messages.send", r#"{"messageId":"M1","code":400,"message":"bad"}"#),
        ("messages.send", r#"{"messageId":"M1","code":990}"#),
        ("messages.send", r#"{"messageId":"M1","code":"400"}"#),
        ("messages.send", r#"{"id":"M1","code":990}"#),
        ("messages.send_bulk", r#"{"bulkId":"B1","code":990,"messages":[{"messageId":"M1"}]}"#),
        ("messages.send_bulk", r#"{"code":400,"messages":[{"messageId":"M1"}]}"#),
        ("messages.send_failover", r#"{"code":400,"messages":["M1"]}"#),
        ("webhooks.messenger_c.set", r#"{"ok":true,"error_code":404,"description":"no"}"#),
    ] {
        for status in [200, 202, 429, 503] {
            assert_eq!(outcome(id, status, body).await, Some(Outcome::Unknown), "{id} {status} {body}");
        }
    }
    let body = r#"{"messageId":"M1","code":400,"message":"bad"}"#;
    assert_eq!(outcome("messages.send", 400, body).await, Some(Outcome::Unknown));
    for body in [r#"{"messageId":"M1","code":200}"#, r#"{"messageId":"M1","code":null}"#] {
        assert_eq!(outcome("messages.send", 200, body).await, None, "{body}");
    }
}

/// `null`, zero or another type is not an id, and not the code of an error.
#[tokio::test]
async fn an_undocumented_member_of_another_type_does_not_change_the_outcome() {
    for (id, body) in [
        ("sms.send", r#"{"responseCode":902,"responseText":"no","#),
        ("sms.send_bulk", r#"{"responseCode":902,"responseText":"no","#),
        ("lookup.numbers", r#"{"response":902,"#),
        ("otp.send", r#"{"code":492,"message":"no","requestID":null,"#),
    ] {
        for name in ["messages", "id", "messageId", "bulkId"] {
            for value in ["null", "0", "true", "{}"] {
                let body = format!(r#"{body}"{name}":{value}}}"#);
                for status in [200, 400, 429] {
                    let found = outcome(id, status, &body).await;
                    assert_eq!(found, Some(Outcome::Rejected), "{id} {status} {body}");
                }
            }
        }
    }
    for id in ["sms.convert", "webhooks.messenger_c.set", "webhooks.messenger_c.delete"] {
        for code in ["null", "true", "[]", r#""""#] {
            let body = format!(r#"{{"code":{code},"message":"done","description":"done"}}"#);
            assert_eq!(outcome(id, 200, &body).await, None, "{id} {body}");
        }
    }
    let body = r#"{"code":400,"message":"no","messages":null}"#;
    assert_eq!(outcome("messages.send", 429, body).await, Some(Outcome::Rejected));
}

/// The member that the family documents contains the provider's message.
#[tokio::test]
async fn an_undocumented_member_does_not_replace_the_message_of_the_provider() {
    for (id, own, body) in [
        ("otp.send", "message", r#""code":492,"requestID":null"#),
        ("sms.send", "responseText", r#""responseCode":902"#),
        ("sms.send_bulk", "responseText", r#""responseCode":902"#),
        ("messages.send", "message", r#""code":400"#),
        ("webhooks.messenger_b.set", "status_message", r#""status":1"#),
        ("webhooks.messenger_c.set", "description", r#""ok":false"#),
    ] {
        for name in ["message", "responseText", "status_message", "description"] {
            for value in ["null", r#""other""#, "{}", r#""""#].iter().filter(|_| name != own) {
                for body in [
                    format!(r#"{{{body},"{own}":"said","{name}":{value}}}"#),
                    format!(r#"{{{body},"{name}":{value},"{own}":"said"}}"#),
                ] {
                    let error = call(id, 400, &body).await.unwrap_err();
                    assert_eq!(error.outcome, Outcome::Rejected, "{id} {body}");
                    assert_eq!(error.provider_message.as_deref(), Some("said"), "{id} {body}");
                }
            }
        }
    }
    for (id, body) in [
        ("sms.send", r#"{"responseCode":902,"requestID":"OTP1"}"#),
        ("messages.send", r#"{"code":400,"message":"no","requestID":"OTP1"}"#),
        ("lookup.numbers", r#"{"response":902,"requestID":"OTP1"}"#),
    ] {
        assert_eq!(call(id, 400, body).await.unwrap_err().request_id, None, "{id} {body}");
    }
    let limited = r#"{"code":429,"message":"slow down","requestID":"OTP1"}"#;
    assert_eq!(
        call("otp.send", 429, limited).await.unwrap_err().request_id,
        Some(cpaas::otp::RequestId::new("OTP1"))
    );
}

/// Only `messageId` is always the id of a message; `id` alone may be that of another family or of a gateway.
#[tokio::test]
async fn a_message_without_its_message_id_has_an_unknown_id() {
    for body in [r#"{"id":"x","responseCode":0}"#, r#"{"id":"x"}"#, r#"{"id":"x","messageId":null}"#] {
        assert_eq!(outcome("messages.send", 200, body).await, Some(Outcome::AcceptedIdUnknown), "{body}");
    }
    assert_eq!(outcome("messages.send", 200, r#"{"messageId":"M1","id":"x"}"#).await, None);
}
