//! Reconciliation of a passcode whose response was lost.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Finding, Reconcile, value};
use crate::date_time;
use crate::http::{HttpRequest, HttpResponse};
use crate::text::msisdn::normalize_number;

/// The request for a page of the records; `None` is the first one.
type Page = dyn Fn(Option<i64>) -> Option<HttpRequest> + Send + Sync;

/// The tolerance for the times of records, in seconds: they have no fractions, and two clocks are compared.
const MARGIN: u64 = 2;

/// The maximum number of pages. The provider returns the newest records first, so reading ends at the first record that is older
/// than the call. Records in another order are read to their end.
const MAX_PAGES: u32 = 20;

/// The number of records on a page.
pub(crate) const PAGE_SIZE: i64 = 100;

/// What a send has in common with its record.
#[derive(Clone)]
pub(crate) struct SentPasscode {
    /// The service.
    pub(crate) service: String,
    /// The sender.
    pub(crate) sender: String,
    /// The recipient.
    pub(crate) recipient: String,
}

/// Searches the records for the only passcode of a service that was sent from a sender to a recipient since the call began.
///
/// A record contains neither the text nor a reference, so a passcode that another call sent at the same time, with the same
/// service, sender and recipient, looks the same: two such records prove nothing, and neither does a record that lacks a member that
/// decides, or of whose events only some match. A passcode that was used, cancelled or has expired is not the result, and counts: a
/// newer one cancels the earlier one.
///
/// All times are those of the provider: the header `Date` is compared with `dateCreated`, read as UTC. That is an assumption, so a
/// record from the future proves nothing either: its zone may be another one, and then an old record may look like a new one.
pub(crate) struct ByRecipient {
    list: Box<Page>,
    sent: SentPasscode,
    /// The ids of the records of such passcodes, and whether their codes may still be valid.
    found: BTreeMap<String, bool>,
    pages: u32,
    seen: u64,
    page: Option<u64>,
    /// The time of the last record, and whether all records were in descending order.
    last: Option<u64>,
    is_descending: bool,
}

impl fmt::Debug for ByRecipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByRecipient").field("pages", &self.pages).finish_non_exhaustive()
    }
}

/// How a record relates to the call.
enum Relation {
    /// A passcode as that of the call: its id, and whether its code may still be valid.
    Same(String, bool),
    Other,
    Unclear,
}

impl ByRecipient {
    /// Creates the reconciliation from the requests of the list and the members of the send.
    pub(crate) fn new(
        list: impl Fn(Option<i64>) -> Option<HttpRequest> + Send + Sync + 'static,
        sent: SentPasscode,
    ) -> Self {
        Self {
            list: Box::new(list),
            sent,
            found: BTreeMap::new(),
            pages: 0,
            seen: 0,
            page: None,
            last: None,
            is_descending: true,
        }
    }

    fn relation(&self, record: &Value, oldest: u64, newest: u64) -> Relation {
        let text = |value: &Value, name| value.get(name).and_then(Value::as_str).map(str::to_owned);
        if text(record, "service").is_some_and(|service| service != self.sent.service) {
            return Relation::Other;
        }
        let created = text(record, "dateCreated").as_deref().and_then(date_time::date_time);
        if created.is_some_and(|created| created < oldest) {
            return Relation::Other;
        }
        let events = record.get("events").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        // `None` if the events do not decide.
        let is_same = |name, sent: &str| {
            let held: Option<Vec<_>> = events.iter().map(|event| text(event, name)).collect();
            let mut matches = held?.into_iter().map(|held| is_same_party(&held, sent));
            let first = matches.next()?;
            matches.all(|other| other == first).then_some(first)
        };
        let (to, from) = (is_same("recipient", &self.sent.recipient), is_same("sender", &self.sent.sender));
        if to == Some(false) || from == Some(false) {
            return Relation::Other;
        }
        let created = created.filter(|created| *created <= newest);
        let is_open = !matches!(
            text(record, "status").as_deref(),
            Some("success" | "expired" | "canceled" | "cancelled")
        );
        let sid = text(record, "sid").filter(|sid| is_sid(sid));
        match (sid, created, to, from) {
            (Some(sid), Some(_), Some(true), Some(true))
                if record.get("service").is_some_and(Value::is_string) =>
            {
                Relation::Same(sid, is_open)
            }
            _ => Relation::Unclear,
        }
    }

    /// The next page, if it can contain a record of this call.
    fn next(&mut self, data: &Value, oldest: u64, count: usize) -> Option<Finding> {
        let number = |name| data.get(name).and_then(Value::as_u64);
        let (Some(page), Some(total)) = (number("page"), number("total")) else {
            return Some(Finding::Unclear);
        };
        if self.page.is_some_and(|last| page <= last) {
            // Repeated pages prove nothing.
            return Some(Finding::Unclear);
        }
        self.page = Some(page);
        self.seen += count as u64;
        self.pages += 1;
        let is_past = self.is_descending && self.last.is_some_and(|last| last < oldest);
        if self.seen >= total || is_past {
            return None;
        }
        if count == 0 || self.pages >= MAX_PAGES {
            return Some(Finding::Unclear);
        }
        let next = i64::try_from(page + 1).ok().and_then(|page| (self.list)(Some(page)));
        Some(next.map_or(Finding::Unclear, |request| Finding::Request(Box::new(request))))
    }
}

impl Reconcile for ByRecipient {
    fn first_request(&self) -> Option<HttpRequest> {
        (self.list)(None)
    }

    fn read_response(&mut self, response: &HttpResponse, age: Duration) -> Finding {
        let now = response.header("date").and_then(date_time::http_date);
        let (Some(body), Some(now)) = (value(response), now) else { return Finding::Unclear };
        let Some(records) = body.get("twoFaOtpSdrs").and_then(Value::as_array) else {
            return Finding::Unclear;
        };
        let oldest = now.saturating_sub(age.as_secs().saturating_add(MARGIN));
        for record in records {
            let created = record.get("dateCreated").and_then(Value::as_str).and_then(date_time::date_time);
            self.is_descending &= created.is_some_and(|created| self.last.is_none_or(|last| created <= last));
            self.last = created;
            match self.relation(record, oldest, now + MARGIN) {
                Relation::Same(sid, is_open) => drop(self.found.insert(sid, is_open)),
                Relation::Other => {}
                Relation::Unclear => return Finding::Unclear,
            }
        }
        if let Some(finding) = self.next(&body, oldest, records.len()) {
            return finding;
        }
        let mut found = self.found.iter();
        match (found.next(), found.next()) {
            (Some((_, false)), None) => Finding::Evidence(
                "the provider's records contain one passcode to this recipient since the call began; it was used or \
                    cancelled, or has expired"
                    .to_owned(),
            ),
            (Some((sid, true)), None) => {
                Finding::Done(super::response(&json!({ "code": 200, "message": "OK", "requestID": sid })))
            }
            (Some(_), Some(_)) => Finding::Evidence(format!(
                "the provider's records contain {} passcodes to this recipient since the call began",
                self.found.len()
            )),
            _ => Finding::Evidence(
                "the provider's records contain no passcode of this service and sender to this recipient since the call began"
                    .to_owned(),
            ),
        }
    }
}

/// Whether two texts are one recipient or sender: the same text, or one number in its canonical form.
fn is_same_party(held: &str, sent: &str) -> bool {
    held == sent
        || match (normalize_number(held, None), normalize_number(sent, None)) {
            (Ok(held), Ok(sent)) => held == sent,
            _ => false,
        }
}

/// Whether a text has the form of a passcode's id.
fn is_sid(text: &str) -> bool {
    text.len() <= 64 && text.starts_with("OTP") && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::{Family, Method};

    const DATE: &str = "Thu, 26 Nov 2026 12:00:10 GMT";

    fn record(sid: &str, created: &str) -> Value {
        json!({
            "sid": sid, "service": "login", "dateCreated": created, "status": "pending", "checks": [],
            "events": [{ "sender": "Acme", "recipient": "306912345678", "channel": "sms" }],
        })
    }

    fn with(sid: &str, member: &str, value: Value) -> Value {
        let mut record = record(sid, "2026-11-26 12:00:05");
        record[member] = value;
        record
    }

    fn response(page: u64, total: u64, records: &[Value]) -> HttpResponse {
        let body = json!({ "page": page, "total": total, "twoFaOtpSdrs": records });
        HttpResponse::new(200, vec![("date".to_owned(), DATE.to_owned())], body.to_string())
    }

    fn search() -> ByRecipient {
        let list = |page: Option<i64>| {
            Some(HttpRequest {
                operation: "otp.search",
                family: Family::Otp,
                method: Method::Get,
                url: format!("https://otp.example/2fa/search?page={}", page.unwrap_or_default()),
                alternates: Vec::new(),
                headers: Vec::new(),
                body: None,
            })
        };
        let sent = SentPasscode {
            service: "login".to_owned(),
            sender: "Acme".to_owned(),
            recipient: "306912345678".to_owned(),
        };
        ByRecipient::new(list, sent)
    }

    #[test]
    fn a_recipient_is_compared_in_its_canonical_form() {
        assert!(is_same_party("447400123456", "4407400123456"));
        assert!(is_same_party("+30 691 234 5678", "306912345678"));
        assert!(is_same_party("Acme", "Acme"));
        assert!(!is_same_party("Acme", "acme"));
        assert!(!is_same_party("306912345678", "306912345679"));
    }

    fn found(finding: &Finding) -> Option<String> {
        match finding {
            Finding::Done(response) => {
                value(response)?.get("requestID").and_then(Value::as_str).map(str::to_owned)
            }
            _ => None,
        }
    }

    /// The finding of one page that contains all records, for a call that began ten seconds ago.
    fn one_page(records: &[Value]) -> Finding {
        search().read_response(&response(0, records.len() as u64, records), Duration::from_secs(10))
    }

    #[test]
    fn the_only_record_of_the_call_is_its_result() {
        let own = record("OTP1", "2026-11-26 12:00:05");
        let finding = one_page(&[own.clone(), record("OTP0", "2026-11-26 11:59:00")]);
        assert_eq!(found(&finding).as_deref(), Some("OTP1"));
        let mut plus = own.clone();
        plus["events"][0]["recipient"] = json!("+306912345678");
        assert_eq!(found(&one_page(&[plus])).as_deref(), Some("OTP1"));
        // A record that moved to the next page while the pages were read.
        assert_eq!(found(&one_page(&[own.clone(), own])).as_deref(), Some("OTP1"));
    }

    #[test]
    fn two_records_or_none_are_evidence() {
        let two = [record("OTP2", "2026-11-26 12:00:06"), record("OTP1", "2026-11-26 12:00:05")];
        assert!(matches!(one_page(&two), Finding::Evidence(text) if text.contains("2 passcodes")));
        assert!(matches!(one_page(&[]), Finding::Evidence(text) if text.contains("no passcode")));
    }

    /// A newer passcode cancels the earlier one: either may be that of the call.
    #[test]
    fn a_passcode_that_is_used_or_cancelled_counts_and_is_not_the_result() {
        for status in ["success", "expired", "canceled", "cancelled"] {
            let closed = with("OTP1", "status", json!(status));
            let finding = one_page(std::slice::from_ref(&closed));
            assert!(matches!(finding, Finding::Evidence(text) if text.contains("one passcode")), "{status}");
            let newer = record("OTP2", "2026-11-26 12:00:06");
            assert!(
                matches!(one_page(&[newer, closed]), Finding::Evidence(text) if text.contains("2 passcodes"))
            );
        }
    }

    #[test]
    fn records_of_other_calls_are_not_the_result() {
        for other in [
            record("OTP1", "2026-11-26 11:59:57"),
            with("OTP1", "service", json!("payment")),
            with("OTP1", "events", json!([{ "sender": "Acme", "recipient": "306900000000" }])),
            with("OTP1", "events", json!([{ "sender": "Other", "recipient": "306912345678" }])),
        ] {
            assert!(matches!(one_page(std::slice::from_ref(&other)), Finding::Evidence(_)), "{other}");
        }
    }

    /// In a zone two hours ahead of UTC, a passcode of two hours ago looks like that of the call, whose own is in the future.
    #[test]
    fn a_record_from_the_future_proves_nothing() {
        let old = record("OTP0", "2026-11-26 12:00:05");
        for created in ["2026-11-26 12:00:13", "2026-11-26 14:00:05"] {
            assert_eq!(one_page(&[record("OTP1", created), old.clone()]), Finding::Unclear, "{created}");
            let mut of_others = record("OTP1", created);
            of_others["service"] = json!("payment");
            assert_eq!(found(&one_page(&[of_others, old.clone()])).as_deref(), Some("OTP0"), "{created}");
        }
        assert!(matches!(one_page(&[record("OTP1", "2026-11-26 12:00:12")]), Finding::Done(_)));
    }

    #[test]
    fn a_record_of_which_some_events_match_proves_nothing() {
        let own = json!({ "sender": "Acme", "recipient": "306912345678" });
        for other in [
            json!({ "sender": "Acme", "recipient": "306900000000" }),
            json!({ "sender": "Other", "recipient": "306912345678" }),
        ] {
            for events in [[own.clone(), other.clone()], [other.clone(), own.clone()]] {
                assert_eq!(
                    one_page(&[with("OTP1", "events", json!(events))]),
                    Finding::Unclear,
                    "{events:?}"
                );
            }
        }
        let finding = one_page(&[with("OTP1", "events", json!([own, own]))]);
        assert_eq!(found(&finding).as_deref(), Some("OTP1"), "an event for each attempt to deliver");
    }

    #[test]
    fn records_that_lack_what_decides_prove_nothing_even_beside_a_good_one() {
        for unclear in [
            with("OTP1", "sid", json!("WF1")),
            with("OTP1", "sid", json!(5)),
            with("OTP1", "sid", json!("OTP1\u{1b}[2J")),
            with("OTP1", "dateCreated", json!("yesterday")),
            with("OTP1", "service", Value::Null),
            with("OTP1", "events", json!([])),
            with("OTP1", "events", Value::Null),
            with("OTP1", "events", json!([{ "sender": "Acme" }])),
            json!("a record"),
        ] {
            let good = record("OTP9", "2026-11-26 12:00:06");
            assert_eq!(one_page(std::slice::from_ref(&unclear)), Finding::Unclear, "{unclear}");
            assert_eq!(one_page(&[good, unclear.clone()]), Finding::Unclear, "{unclear}");
        }
    }

    #[test]
    fn a_response_without_date_records_or_page_proves_nothing() {
        let own = [record("OTP1", "2026-11-26 12:00:05")];
        let age = Duration::from_secs(10);
        let body = json!({ "page": 0, "total": 1, "twoFaOtpSdrs": own }).to_string();
        for response in [
            HttpResponse::new(200, Vec::new(), body.clone()),
            HttpResponse::new(200, vec![("date".to_owned(), "soon".to_owned())], body),
            HttpResponse::new(200, vec![("date".to_owned(), DATE.to_owned())], "not JSON"),
            HttpResponse::new(200, vec![("date".to_owned(), DATE.to_owned())], "[]"),
            HttpResponse::new(
                200,
                vec![("date".to_owned(), DATE.to_owned())],
                json!({ "twoFaOtpSdrs": own }).to_string(),
            ),
        ] {
            assert_eq!(search().read_response(&response, age), Finding::Unclear);
        }
    }

    #[test]
    fn pages_are_read_until_the_records_are_older_than_the_call() {
        let age = Duration::from_secs(10);
        let new = record("OTP1", "2026-11-26 12:00:05");
        let old = record("OTP0", "2026-11-26 11:00:00");
        let mut newest_first = search();
        let finding = newest_first.read_response(&response(0, 100, std::slice::from_ref(&new)), age);
        assert!(matches!(finding, Finding::Request(_)));
        let finding = newest_first.read_response(&response(1, 100, std::slice::from_ref(&old)), age);
        assert_eq!(found(&finding).as_deref(), Some("OTP1"));

        // In another order, a later page may contain a second record.
        let mut unordered = search();
        let first = [old, new.clone()];
        assert!(matches!(unordered.read_response(&response(0, 3, &first), age), Finding::Request(_)));
        let second = [record("OTP2", "2026-11-26 12:00:04")];
        assert!(matches!(unordered.read_response(&response(1, 3, &second), age), Finding::Evidence(_)));

        let mut repeated = search();
        let _ = repeated.read_response(&response(0, 100, std::slice::from_ref(&new)), age);
        assert_eq!(repeated.read_response(&response(0, 100, &[new]), age), Finding::Unclear);
    }
}
