//! The price of rows that a killed worker claimed and did not begin is available to the workers that live.

use std::time::Duration;

use crate::kills::{CONCURRENCY, worker_command};
use crate::support::{Scratch, assert_adds_up, messages, rows, sent_by_pages};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::{Prices, parse_amount};
use cpaas_sandbox::Sandbox;
use serde_json::json;

#[test]
fn the_maximum_spend_halts_only_after_rows_that_were_not_begun_are_refunded() {
    const AFFORDABLE: i64 = 600;
    let sandbox = Sandbox::builder().seed(3).start_blocking().unwrap();
    sandbox.set_faults(json!([{"kind": "latency", "probability": 1.0, "seed": 5, "ms": 100}])).unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut messages = messages();
    messages.prices = Some(Prices::read(&b"prefix,price,currency\n3069,1,EUR\n"[..]).unwrap());
    let mut settings = Settings::default();
    settings.max_spend = Some(parse_amount(&AFFORDABLE.to_string()).unwrap());
    let _ = blocking::create(&mut journal, "kills", &mut rows(2000), &messages, settings, None).unwrap();
    let mut command = worker_command(&scratch.url(), &sandbox);
    command.env("XDG_STATE_HOME", scratch.folder.path().join("state"));
    let (mut killed, mut other) = (command.spawn().unwrap(), command.spawn().unwrap());
    while status(&mut journal, "kills").unwrap().accepted < 200 {
        std::thread::sleep(Duration::from_millis(10));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let found = status(&mut journal, "kills").unwrap();
    assert!(found.unknown > CONCURRENCY as i64, "rows must be claimed ahead: {found:?}");
    assert!(found.accepted < AFFORDABLE - 200, "the other worker must still have rows to send: {found:?}");
    assert!(other.wait().unwrap().success());
    let found = status(&mut journal, "kills").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.state, found.reason.as_deref()), ("halted", Some("max_spend")), "{found:?}");
    assert!(found.unknown <= CONCURRENCY as i64, "{found:?}");
    assert_eq!(
        (found.accepted + found.unknown, found.spend.as_deref()),
        (AFFORDABLE, Some("600")),
        "{found:?}"
    );
    assert!(sent_by_pages(&sandbox).values().all(|count| *count == 1), "a row was sent twice");
}
