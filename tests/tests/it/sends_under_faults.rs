//! One call sends at most one message, also under faults; `tests/run nightly` makes a million calls.

use cpaas_sandbox::Sandbox;

#[test]
fn acc_193_no_send_is_lost_or_duplicated_under_faults() {
    let sandbox = Sandbox::builder().seed(11).start_blocking().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let tally = runtime.block_on(cpaas_tests::fault_run::run(&sandbox.config(), 20_000, 64, 11)).unwrap();
    assert!(tally.holds(), "{tally:?}");
    for outcome in ["accepted", "unknown", "accepted, id unknown"] {
        assert!(tally.outcomes.contains_key(outcome), "no fault led to `{outcome}`: {tally:?}");
    }
    sandbox.stop();
}

#[test]
fn no_send_is_lost_or_duplicated_behind_a_faulty_proxy() {
    let sandbox = Sandbox::builder().seed(12).start_blocking().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = sandbox.config();
    let run = cpaas_tests::fault_run::run_through_proxy(&config, 10_000, 128, 12);
    let tally = runtime.block_on(run).unwrap();
    assert!(tally.is_at_most_once(), "{tally:?}");
    for outcome in ["accepted", "unknown", "accepted, id unknown"] {
        assert!(tally.outcomes.contains_key(outcome), "no fault of the proxy led to `{outcome}`: {tally:?}");
    }
    println!("{tally:?}");
    sandbox.stop();
}
