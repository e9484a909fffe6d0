//! Each optional setter has a second one for an optional value.

use std::time::Duration;

use cpaas::channel::{Failover, Sms};
use cpaas::client::CallOptions;
use cpaas::messages::{SendBulkMessage, SendFailoverMessage, SendMessage};
use cpaas::otp::{OtpChannel, SearchPasscodes, SendPasscode};
use cpaas::sms::SendSms;
use cpaas::text::autofill::Autofill;

#[test]
fn a_value_is_set_as_by_the_setter_and_none_removes_it() {
    let plain = SendSms::new("Acme", "306912345678", "Hi");
    let with = plain.clone().reference("r1");
    assert_eq!(plain.clone().maybe_reference(Some("r1")), with);
    assert_eq!(plain.clone().maybe_reference(Some("r1".to_owned())), with);
    assert_eq!(plain.clone().maybe_reference(None::<String>), plain);
    assert_eq!(with.clone().maybe_reference(None::<&str>), plain);
    assert_eq!(
        serde_json::to_string(&with.maybe_reference(None::<&str>)).unwrap(),
        serde_json::to_string(&plain).unwrap()
    );
    // An empty value is a value.
    assert_eq!(plain.maybe_reference(Some("")).reference.as_deref(), Some(""));
}

#[test]
fn every_kind_of_member_has_it() {
    let passcode = SendPasscode::new("login", "Acme", "306912345678", "{code}");
    let typed = passcode.clone().maybe_channel(Some("call")).maybe_guard_time(Some(60));
    assert_eq!(typed, passcode.clone().channel(OtpChannel::Call).guard_time(60));
    assert_eq!(typed.maybe_channel(None::<OtpChannel>).maybe_guard_time(None::<i64>), passcode);
    let (page, status): (Option<i64>, Option<&str>) = (Some(2), None);
    assert_eq!(SearchPasscodes::new().maybe_page(page).maybe_status(status), SearchPasscodes::new().page(2));
}

#[test]
fn messages_options_and_lines_have_it() {
    const ID: &str = "8c2f6b8e-1b7b-4f5c-9a57-1d2b3c4d5e6f";
    let id = Some(ID);
    let sms = || Sms::new("Hi");
    let message = SendMessage::new("306912345678", sms());
    assert_eq!(message.clone().maybe_traffic_account_id(id), message.clone().traffic_account_id(ID));
    assert_eq!(message.clone().traffic_account_id("x").maybe_traffic_account_id(None::<&str>), message);
    let failover = SendFailoverMessage::new("306912345678", [sms().into()], Failover::new());
    assert_eq!(failover.clone().maybe_traffic_account_id(None::<&str>), failover);
    let bulk = SendBulkMessage::new(["306912345678"], sms());
    let full = bulk.clone().maybe_version(Some("1.1")).maybe_failover(Some(Failover::new()));
    assert_eq!(full, bulk.clone().version("1.1").failover(Failover::new()));
    assert_eq!(full.maybe_version(None::<&str>).maybe_failover(None::<Failover>), bulk);
    let options = CallOptions::new().maybe_timeout(Some(Duration::from_secs(1))).maybe_max_attempts(Some(1));
    assert_eq!(options, CallOptions::new().timeout(Duration::from_secs(1)).max_attempts(1));
    assert_eq!(options.maybe_timeout(None).maybe_max_attempts(None).maybe_deadline(None), CallOptions::new());
    assert_eq!(Autofill::new().maybe_host(Some("shop.example")), Autofill::new().host("shop.example"));
}
