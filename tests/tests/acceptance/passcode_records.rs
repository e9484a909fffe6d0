//! Rows 37 to 53: the records and the usage of passcodes.

use serde_json::{Value, json};

use crate::harness::Harness;
use crate::passcodes::{code, record, send, verify, wrong};

fn sids(list: &Value) -> Vec<String> {
    list["twoFaOtpSdrs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["sid"].as_str().unwrap().to_owned())
        .collect()
}

fn is_date(text: &Value) -> bool {
    let shape: String =
        text.as_str().unwrap().chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    shape == "9999-99-99 99:99:99"
}

#[test]
fn acc_037_045_a_record_has_all_documented_fields() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    verify(&harness, &id, &wrong(&code(&harness)));
    let record = record(&harness, &id);
    let names: Vec<&String> = record.as_object().unwrap().keys().collect();
    let all =
        ["accountSid", "checks", "dateCreated", "dateUpdated", "events", "service", "sid", "status", "uri"];
    assert_eq!(names, all);
    assert_eq!(record["uri"], format!("/2fa/search/{id}"));
    let event = record["events"][0].as_object().unwrap();
    let all = [
        "channel",
        "channelErrorCode",
        "channelErrorMessage",
        "channelStatus",
        "dateCreated",
        "recipient",
        "sender",
        "sid",
        "targetSid",
    ];
    assert_eq!(event.keys().collect::<Vec<_>>(), all);
    let dates = ["/dateCreated", "/dateUpdated", "/checks/0/dateReceived", "/events/0/dateCreated"];
    assert!(dates.iter().all(|at| is_date(record.pointer(at).unwrap())));
    let typed = harness.via("otp.get", json!({"sid": id})).unwrap();
    assert_eq!((&typed["checks"], &typed["uri"]), (&record["checks"], &record["uri"]));
}

#[test]
fn acc_038_an_unknown_sid_is_404() {
    Harness::new(&[]).get("/2fa/search/OTP00000000000000000000000000000000").is(404);
}

#[test]
fn acc_039_040_041_pages_visit_each_record_once() {
    let harness = Harness::new(&[]);
    let mut sent: Vec<String> =
        (0..7).map(|n| send(&harness, json!({"to": format!("30691234567{n}")}))).collect();
    let first = harness.get("/2fa/search?pageSize=3&status=pending").ok();
    let names: Vec<&String> = first.as_object().unwrap().keys().collect();
    let all = [
        "end",
        "first_page_uri",
        "next_page_uri",
        "num_pages",
        "page",
        "page_size",
        "previous_page_uri",
        "start",
        "total",
        "twoFaOtpSdrs",
        "uri",
    ];
    assert_eq!(names, all);
    assert_eq!(
        (first["total"].as_u64(), first["num_pages"].as_u64(), first["page_size"].as_u64()),
        (Some(7), Some(3), Some(3))
    );
    assert!(first["previous_page_uri"].is_null());
    let mut seen = sids(&first);
    let mut next = first["next_page_uri"].clone();
    while let Some(uri) = next.as_str() {
        for part in ["pageSize=3", "page=", "accountSid=AC", "status=pending"] {
            assert!(uri.contains(part), "{uri}");
        }
        let page = harness.get(uri).ok();
        assert!(page["previous_page_uri"].is_string());
        seen.extend(sids(&page));
        next = page["next_page_uri"].clone();
    }
    sent.reverse();
    assert_eq!(seen, sent, "newest first, each record once");
}

#[test]
fn acc_039_the_client_finds_a_record() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    let page = harness.via("otp.search", json!({"pageSize": 5, "status": "pending"})).unwrap();
    assert_eq!(sids(&page), [id]);
}

#[test]
fn acc_042_records_are_filtered_by_status() {
    let harness = Harness::new(&[]);
    let expired = send(&harness, json!({"to": "306911111111"}));
    harness.advance("600s");
    let success = send(&harness, json!({}));
    verify(&harness, &success, &code(&harness));
    let canceled = send(&harness, json!({"to": "306922222222"}));
    harness.post("/2fa/cancel", json!({"requestId": canceled, "accountSid": harness.sid()})).ok();
    let pending = send(&harness, json!({"to": "306933333333"}));
    let found = |status: &str| sids(&harness.get(&format!("/2fa/search?status={status}")).ok());
    assert_eq!(found("success"), [success]);
    assert_eq!(found("expired"), [expired]);
    assert_eq!(found("canceled"), [canceled]);
    assert_eq!(found("pending"), [pending]);
    assert!(found("nonsense").is_empty());
}

#[test]
fn acc_043_parameters_in_a_body_equal_parameters_in_the_query() {
    let harness = Harness::new(&[]);
    for n in 0..3 {
        send(&harness, json!({"to": format!("30691234567{n}")}));
    }
    let body =
        harness.send("GET", "/2fa/search", json!({"pageSize": 2, "page": "1", "status": "pending"})).ok();
    assert_eq!(body, harness.get("/2fa/search?pageSize=2&page=1&status=pending").ok());
    assert_eq!(sids(&body).len(), 1);
}

#[test]
fn acc_044_page_and_page_size_have_limits_and_defaults() {
    let harness = Harness::new(&[]);
    for bad in ["pageSize=0", "pageSize=-1", "pageSize=many", "page=-1", "page=x"] {
        harness.get(&format!("/2fa/search?{bad}")).is(400);
    }
    assert_eq!(harness.get("/2fa/search?pageSize=1001").ok()["page_size"], 1_000);
    let absent = harness.get("/2fa/search").ok();
    assert_eq!((absent["page_size"].as_u64(), absent["page"].as_u64()), (Some(50), Some(0)));
    assert_eq!(sids(&harness.get("/2fa/search?page=9").ok()).len(), 0);
    let from_one = Harness::new(&["--first-page=1"]);
    from_one.get("/2fa/search?page=0").is(400);
    assert_eq!(from_one.get("/2fa/search").ok()["page"], 1);
}

#[test]
fn acc_045_dates_in_a_list_have_the_documented_format() {
    let harness = Harness::new(&[]);
    send(&harness, json!({}));
    let list = harness.get("/2fa/search").ok();
    assert!(
        is_date(&list["twoFaOtpSdrs"][0]["dateCreated"]) && is_date(&list["twoFaOtpSdrs"][0]["dateUpdated"])
    );
}

#[test]
fn acc_046_new_records_come_first() {
    let harness = Harness::new(&[]);
    let old: Vec<String> = (0..4).map(|n| send(&harness, json!({"to": format!("30691234567{n}")}))).collect();
    let before = sids(&harness.get("/2fa/search?pageSize=2").ok());
    let new = send(&harness, json!({"to": "306900000000"}));
    let after = sids(&harness.get("/2fa/search?pageSize=5").ok());
    assert_eq!(after[0], new);
    assert_eq!(after[1..3], before[..]);
    assert_eq!(after[4], old[0]);
}

#[test]
fn acc_047_048_049_usage_equals_what_was_sent() {
    let harness = Harness::new(&[]);
    let all = harness.get("/2fa/usage/records").ok();
    assert_eq!(all["usageRecords"].as_array().unwrap().len(), 1, "without calls there is no second element");
    for channel in ["sms", "sms", "call"] {
        send(&harness, json!({"channel": channel}));
    }
    let today =
        &harness.get("/2fa/usage/records").ok()["usageRecords"][0]["endTime"].as_str().unwrap().to_owned();
    let records =
        harness.get(&format!("/2fa/usage/records?startDate={today}&endDate={today}")).ok()["usageRecords"]
            .clone();
    let all = &records[0];
    assert_eq!(
        (all["channel"].as_str(), all["count"].as_str(), all["unit"].as_str()),
        (Some("All"), Some("3"), Some("OTP"))
    );
    assert_eq!((&all["startTime"], &all["endTime"]), (&json!(today), &json!(today)));
    assert_eq!((records[1]["channel"].as_str(), records[1]["count"].as_str()), (Some("call"), Some("1")));
    let calls = &harness.get("/2fa/usage/records?channel=call").ok()["usageRecords"][0];
    assert_eq!((calls["category"].as_str(), calls["unit"].as_str()), (Some("call"), Some("Calls")));
    assert!(calls["startDate"].is_string() && calls["endDate"].is_string() && calls.get("channel").is_none());
    let sms = harness.get("/2fa/usage/records?channel=sms").is(200);
    assert!(sms.assumed().contains("D60"));
    let sms = &sms.json()["usageRecords"][0];
    assert_eq!(
        (sms["category"].as_str(), sms["unit"].as_str(), sms["count"].as_str()),
        (Some("sms"), Some("OTP"), Some("2"))
    );
}

#[test]
fn acc_047_the_client_reads_usage() {
    let harness = Harness::new(&[]);
    send(&harness, json!({}));
    let usage = harness.via("otp.usage", json!({})).unwrap();
    assert_eq!(usage["usageRecords"][0]["count"], "1");
}

#[test]
fn acc_050_051_the_daily_records_add_up_to_the_total() {
    let harness = Harness::new(&[]);
    for _ in 0..3 {
        send(&harness, json!({}));
        harness.advance("1d");
    }
    let total: u64 =
        harness.get("/2fa/usage/records").ok()["usageRecords"][0]["count"].as_str().unwrap().parse().unwrap();
    let daily = harness.get("/2fa/usage/records/daily").ok()["usageRecords"].as_array().unwrap().clone();
    assert_eq!(daily.len(), 30, "the last 30 days");
    let sum: u64 = daily.iter().map(|day| day["count"].as_str().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!((sum, total), (3, 3));
    assert!(daily.iter().all(|day| day["startTime"] == day["endTime"]));
}

#[test]
fn acc_052_invalid_dates_are_rejected() {
    let harness = Harness::new(&[]);
    for path in ["/2fa/usage/records", "/2fa/usage/records/daily"] {
        for query in [
            "startDate=2026-02-30",
            "endDate=tomorrow",
            "startDate=2026-03-02&endDate=2026-03-01",
            "channel=fax",
        ] {
            harness.get(&format!("{path}?{query}")).is(400);
        }
    }
}

#[test]
fn acc_053_other_usage_resources_are_unknown() {
    let reply = Harness::new(&[]).get("/2fa/usage/records/monthly").is(404);
    assert!(reply.assumed().contains("D61"));
}
