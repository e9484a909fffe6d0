//! Every state that three events and two tokens can reach, beside a second implementation of the rules; then that implementation
//! without each rule in turn, which must be told apart.
#![allow(clippy::print_stdout)]

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::super::Claimed;
use super::Table;

const KEYS: [&str; 3] = ["a", "b", "c"];
const TOKENS: [&str; 2] = ["t", "u"];
/// In seconds.
const LEASE: u64 = 2;
const KEEP: u64 = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Command {
    Claim(usize, usize),
    Done(usize),
    Free(usize, usize),
    Second,
}

/// The rules that the second implementation obeys.
#[derive(Clone, Copy)]
struct Rules {
    done_stays: bool,
    others_wait: bool,
    same_token_renews: bool,
    leases_end: bool,
    done_by_anyone: bool,
    free_compares: bool,
    free_leaves_done: bool,
    oldest_is_evicted: bool,
    progress_is_never_evicted: bool,
    retention_ends: bool,
}

const ALL: Rules = Rules {
    done_stays: true,
    others_wait: true,
    same_token_renews: true,
    leases_end: true,
    done_by_anyone: true,
    free_compares: true,
    free_leaves_done: true,
    oldest_is_evicted: true,
    progress_is_never_evicted: true,
    retention_ends: true,
};

/// The events in the order in which their state began, with the seconds that are left.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Model {
    leases: Vec<(usize, usize, u64)>,
    done: Vec<(usize, u64)>,
}

impl Model {
    fn second(&mut self, rules: Rules) {
        for (_, _, left) in &mut self.leases {
            *left -= u64::from(rules.leases_end);
        }
        for (_, left) in &mut self.done {
            *left -= u64::from(rules.retention_ends);
        }
        self.leases.retain(|(_, _, left)| *left > 0);
        self.done.retain(|(_, left)| *left > 0);
    }

    fn claim(&mut self, rules: Rules, capacity: usize, key: usize, token: usize) -> Claimed {
        if rules.done_stays && self.done.iter().any(|(done, _)| *done == key) {
            return Claimed::Done;
        }
        let found = self.leases.iter().position(|(leased, ..)| *leased == key);
        if let Some(at) = found {
            let (_, owner, left) = self.leases[at];
            if owner != token && rules.others_wait || owner == token && !rules.same_token_renews {
                return Claimed::Busy(Duration::from_secs(left));
            }
            self.leases.remove(at);
        } else if self.leases.len() >= capacity {
            if rules.progress_is_never_evicted {
                return Claimed::Busy(Duration::from_secs(1));
            }
            self.leases.remove(0);
        }
        self.leases.push((key, token, LEASE));
        Claimed::New
    }

    fn done(&mut self, rules: Rules, capacity: usize, key: usize, token: usize) {
        let holder = self.leases.iter().find(|(leased, ..)| *leased == key).map(|(_, owner, _)| *owner);
        if !rules.done_by_anyone && holder != Some(token) {
            return;
        }
        self.leases.retain(|(leased, ..)| *leased != key);
        self.done.retain(|(done, _)| *done != key);
        self.done.push((key, KEEP));
        if rules.oldest_is_evicted && self.done.len() > capacity {
            self.done.remove(0);
        }
    }

    fn free(&mut self, rules: Rules, key: usize, token: usize) {
        self.leases.retain(|(leased, owner, _)| *leased != key || rules.free_compares && *owner != token);
        if !rules.free_leaves_done {
            self.done.retain(|(done, _)| *done != key);
        }
    }
}

/// The events of the table, in the order of their ends, with the time that is left.
type Snapshot = (Vec<(Arc<str>, Box<str>, Duration)>, Vec<(Arc<str>, Duration)>);

#[derive(Clone)]
struct Both {
    now: Duration,
    table: Table,
    model: Model,
}

impl Both {
    /// Runs a command in both. Returns whether their answers are equal.
    fn run(&mut self, rules: Rules, capacity: usize, command: Command) -> bool {
        match command {
            Command::Claim(key, token) => {
                let lease = Duration::from_secs(LEASE);
                let found = self.table.claim(self.now, KEYS[key], TOKENS[token], lease);
                return found == self.model.claim(rules, capacity, key, token);
            }
            Command::Done(key) => {
                self.table.done(self.now, KEYS[key], Duration::from_secs(KEEP));
                self.model.done(rules, capacity, key, 0);
            }
            Command::Free(key, token) => {
                self.table.free(KEYS[key], TOKENS[token]);
                self.model.free(rules, key, token);
            }
            Command::Second => {
                self.now += Duration::from_secs(1);
                self.model.second(rules);
            }
        }
        true
    }

    fn state(&self) -> (Model, Snapshot) {
        let left = |end: &Duration| end.saturating_sub(self.now);
        let token = |key: &Arc<str>| self.table.leases.entries[key].value.clone();
        let leases =
            self.table.leases.order.iter().map(|((end, _), key)| (key.clone(), token(key), left(end)));
        let done = self.table.done.order.iter().map(|((end, _), key)| (key.clone(), left(end)));
        (self.model.clone(), (leases.collect(), done.collect()))
    }
}

fn commands() -> Vec<Command> {
    let mut commands = vec![Command::Second];
    for key in 0..KEYS.len() {
        commands.push(Command::Done(key));
        for token in 0..TOKENS.len() {
            commands.extend([Command::Claim(key, token), Command::Free(key, token)]);
        }
    }
    commands
}

/// The number of states, or the commands after which the answers differ.
fn explore(rules: Rules, capacity: usize) -> Result<usize, Vec<Command>> {
    let start = Both { now: Duration::ZERO, table: Table::new(capacity), model: Model::default() };
    let mut seen = HashSet::from([start.state()]);
    let mut open = vec![(start, Vec::new())];
    while let Some((state, path)) = open.pop() {
        for command in commands() {
            let mut next = state.clone();
            let mut path = path.clone();
            path.push(command);
            if !next.run(rules, capacity, command) {
                return Err(path);
            }
            assert!(next.table.leases.entries.len() <= capacity && next.table.done.entries.len() <= capacity);
            if seen.insert(next.state()) {
                open.push((next, path));
            }
        }
    }
    Ok(seen.len())
}

#[test]
fn every_reachable_state_obeys_the_rules() {
    for capacity in [1, 2] {
        let states = explore(ALL, capacity).unwrap();
        println!("capacity {capacity}: {states} states");
        assert!(states > 50 * capacity);
    }
}

#[test]
fn each_rule_is_needed() {
    let without = [
        ("done_stays", Rules { done_stays: false, ..ALL }),
        ("others_wait", Rules { others_wait: false, ..ALL }),
        ("same_token_renews", Rules { same_token_renews: false, ..ALL }),
        ("leases_end", Rules { leases_end: false, ..ALL }),
        ("done_by_anyone", Rules { done_by_anyone: false, ..ALL }),
        ("free_compares", Rules { free_compares: false, ..ALL }),
        ("free_leaves_done", Rules { free_leaves_done: false, ..ALL }),
        ("oldest_is_evicted", Rules { oldest_is_evicted: false, ..ALL }),
        ("progress_is_never_evicted", Rules { progress_is_never_evicted: false, ..ALL }),
        ("retention_ends", Rules { retention_ends: false, ..ALL }),
    ];
    for (name, rules) in without {
        let found = explore(rules, 1).unwrap_err();
        println!("without {name}: {found:?}");
    }
}
