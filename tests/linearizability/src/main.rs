//! Checks histories that `campaign/tests/it/histories.rs` recorded: each row is an object of its own, and each history must be linearizable
//! with the model of `row.rs`.
//!
//!     linearizability FILE
//!
//! Then it changes each history in five ways, each of which breaks a rule, and checks that every changed history is refused, and that it is
//! accepted if the model leaves this rule out. Prints the counts, and exits with 1 otherwise.

mod row;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::ExitCode;

use row::{Op, Outcome, Row, Seen, Without};
use serde::Deserialize;
use stateright::semantics::{ConsistencyTester, LinearizabilityTester};

/// An operation, with the times (microseconds) between which it happened. Without `to` it may happen later, or not at all.
#[derive(Debug, Clone, Deserialize)]
struct Timed {
    #[serde(flatten)]
    op: Op,
    from: u64,
    to: Option<u64>,
}

#[derive(Debug, Clone, Deserialize)]
struct History {
    history: u64,
    row: u64,
    operations: Vec<Timed>,
}

impl History {
    fn is_linearizable(&self, without: Without) -> bool {
        let mut events = Vec::new();
        for (thread, timed) in self.operations.iter().enumerate() {
            events.push((timed.from, false, thread));
            events.extend(timed.to.map(|to| (to.max(timed.from), true, thread)));
        }
        // At the same time, all operations begin before one ends: they overlap.
        events.sort_unstable();
        let mut tester = LinearizabilityTester::new(Row::new(without));
        for (_, is_end, thread) in events {
            let added = match is_end {
                false => tester.on_invoke(thread, self.operations[thread].op.clone()),
                true => tester.on_return(thread, true),
            };
            added.expect("each operation is a thread of its own");
        }
        tester.is_consistent()
    }

    fn position(&self, is: impl Fn(&Op) -> bool) -> Option<usize> {
        self.operations.iter().position(|timed| is(&timed.op))
    }

    fn end(&self) -> u64 {
        self.operations.iter().map(|timed| timed.to.unwrap_or(timed.from)).max().unwrap_or_default()
    }

    /// The history of a row that was claimed and accepted, changed so that it breaks this rule; `None` if it cannot be changed so.
    fn breaking(&self, rule: Without) -> Option<Self> {
        let mut changed = self.clone();
        let end = self.end();
        let mut add =
            |op, after| changed.operations.push(Timed { op, from: end + after, to: Some(end + after) });
        let accepted = self.position(|op| matches!(op, Op::Settle(_, Outcome::Accepted)))?;
        let Op::Settle(permit, _) = self.operations[accepted].op else { return None };
        let send = self.position(|op| *op == Op::Send(permit))?;
        let ledger = self.position(|op| matches!(op, Op::Ledger(_)))?;
        match rule {
            Without::Nothing => return None,
            // Another worker claims the row as well, and no message results.
            Without::OneClaim => {
                add(Op::Claim(permit + 1), 1);
                add(Op::Settle(permit + 1, Outcome::Rejected), 2);
            }
            // The worker sends the row again.
            Without::OneSend => {
                add(Op::Send(permit), 1);
                changed.operations[ledger].op = Op::Ledger(2);
                changed.operations[ledger].from = end + 2;
                changed.operations[ledger].to = Some(end + 2);
            }
            // The row counts as accepted, and was not sent.
            Without::SendBeforeSettle => {
                changed.operations[ledger].op = Op::Ledger(0);
                changed.operations.remove(send);
            }
            // A read shows a state of the past.
            Without::CurrentRead => add(Op::Read(Seen::Pending), 1),
            // The provider has lost the message.
            Without::Ledger => changed.operations[ledger].op = Op::Ledger(0),
        }
        Some(changed)
    }
}

const RULES: [Without; 5] =
    [Without::OneClaim, Without::OneSend, Without::SendBeforeSettle, Without::CurrentRead, Without::Ledger];

fn main() -> ExitCode {
    let file = std::env::args().nth(1).expect("the file of histories");
    let file = BufReader::new(std::fs::File::open(file).expect("the file of histories"));
    let histories: Vec<History> =
        file.lines().map(|line| serde_json::from_str(&line.expect("text")).expect("a history")).collect();
    let operations: usize = histories.iter().map(|history| history.operations.len()).sum();
    let again = |history: &&History| {
        history.operations.iter().filter(|timed| matches!(timed.op, Op::Claim(_))).count() > 1
    };
    let refused: Vec<&History> =
        histories.iter().filter(|history| !history.is_linearizable(Without::Nothing)).collect();
    println!(
        "{} histories of a row, {operations} operations, {} rows claimed again, {} not linearizable",
        histories.len(),
        histories.iter().filter(again).count(),
        refused.len()
    );
    for history in refused.iter().take(5) {
        println!("history {} row {}: {:#?}", history.history, history.row, history.operations);
    }
    let mut is_ok = refused.is_empty() && !histories.is_empty();
    let mut counts = BTreeMap::new();
    for (history, rule) in histories.iter().flat_map(|history| RULES.map(|rule| (history, rule))) {
        if let Some(changed) = history.breaking(rule) {
            let (all, found, explained) = counts.entry(format!("{rule:?}")).or_insert((0, 0, 0));
            *all += 1;
            *found += usize::from(!changed.is_linearizable(Without::Nothing));
            *explained += usize::from(changed.is_linearizable(rule));
        }
    }
    for (rule, (all, found, explained)) in &counts {
        println!(
            "  {all} changed so that they break {rule}: {found} refused, {explained} accepted without the rule"
        );
        is_ok &= found == all && explained == all;
    }
    is_ok &= counts.len() == RULES.len();
    if is_ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
