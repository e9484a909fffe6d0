//! The protocol of leases as a model: two workers, a provider that repeats one event, and one store. Workers are killed, requests
//! are cancelled, replies of the store and responses are lost, and leases end, each at any moment. Every reachable state obeys the
//! invariants, and without each rule in turn a state that does not is found. Stores and adapters are tested beside their code.
#![allow(clippy::print_stdout)]

use std::collections::{HashMap, VecDeque};

const WORKERS: usize = 2;

/// What a worker is doing with a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Worker {
    Idle,
    /// The claim is under way; whether its request was cancelled meanwhile.
    Claiming(bool),
    /// The handler runs; whether its request was cancelled meanwhile.
    Running(bool),
    /// The handler has completed, and `done` is under way.
    Completed,
    /// The handler has failed or was cancelled, and `free` is under way.
    Failed,
}

/// The event in the store. The token is the number of a worker: a worker has one request at a time, and the token of an earlier
/// request of it is [`Store::Dead`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Store {
    Absent,
    Leased(usize),
    /// Leased by a request that no worker has any more.
    Dead,
    Done,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    workers: [Worker; WORKERS],
    store: Store,
    /// The runs of handlers that completed, up to 2.
    completed: u8,
    /// Whether a command `done` has reached the store.
    done: bool,
    /// Whether a lease has ended while its request was there.
    lease_ended: bool,
    /// Whether a worker was killed, a request was cancelled, or a reply was lost.
    disturbed: bool,
}

impl State {
    fn start() -> Self {
        Self {
            workers: [Worker::Idle; WORKERS],
            store: Store::Absent,
            completed: 0,
            done: false,
            lease_ended: false,
            disturbed: false,
        }
    }

    /// How many handlers run.
    fn running(&self) -> usize {
        self.workers.iter().filter(|worker| matches!(worker, Worker::Running(_))).count()
    }

    /// The worker ends its request. Its token is not used again.
    fn end(&mut self, at: usize) {
        self.workers[at] = Worker::Idle;
        if self.store == Store::Leased(at) {
            self.store = Store::Dead;
        }
    }
}

/// The rules, each of which can be removed.
#[derive(Clone, Copy)]
struct Rules {
    /// A claim of an event that another token has leased is busy.
    claim_excludes: bool,
    /// A repeat of an event in progress is not answered 2xx.
    busy_is_no_success: bool,
    /// If the claim failed, the handler does not run.
    failed_claim_stops: bool,
    /// The event is recorded as done after its handler, not before.
    done_after_handler: bool,
    /// `done` is written whoever has the lease.
    done_by_anyone: bool,
    /// `free` compares the token.
    free_compares: bool,
    /// `free` does not remove an event that is done.
    free_leaves_done: bool,
    /// A handler that failed is answered 500.
    failure_is_no_success: bool,
    /// A request that is cancelled is freed only when its handler has ended.
    freed_after_end: bool,
    /// A lease that is granted to a request that was cancelled meanwhile is freed, or ends.
    leases_end: bool,
    /// Once done, an event is not granted again.
    done_stays: bool,
}

const ALL: Rules = Rules {
    claim_excludes: true,
    busy_is_no_success: true,
    failed_claim_stops: true,
    done_after_handler: true,
    done_by_anyone: true,
    free_compares: true,
    free_leaves_done: true,
    failure_is_no_success: true,
    freed_after_end: true,
    leases_end: true,
    done_stays: true,
};

/// A broken invariant.
type Broken = &'static str;

/// The states after one step of each kind.
fn steps(state: &State, rules: Rules) -> Result<Vec<State>, Broken> {
    let mut next = Vec::new();
    if rules.leases_end {
        let mut ended = state.clone();
        match state.store {
            Store::Leased(_) => (ended.store, ended.lease_ended) = (Store::Absent, true),
            Store::Dead => ended.store = Store::Absent,
            Store::Absent | Store::Done => {}
        }
        next.push(ended);
    }
    for at in 0..WORKERS {
        if state.workers[at] != Worker::Idle {
            let mut killed = state.clone();
            killed.end(at);
            killed.disturbed = true;
            next.push(killed);
        }
        next.extend(worker_steps(state, at, rules)?);
    }
    Ok(next)
}

fn worker_steps(state: &State, at: usize, rules: Rules) -> Result<Vec<State>, Broken> {
    let to = |worker| {
        let mut state = state.clone();
        state.workers[at] = worker;
        state
    };
    let disturbed = |mut state: State| {
        state.disturbed = true;
        state
    };
    Ok(match state.workers[at] {
        // The provider sends the event, the first time or again: a response may have been lost.
        Worker::Idle => vec![to(Worker::Claiming(false))],
        Worker::Claiming(is_cancelled) => {
            let mut next = vec![disturbed(to(Worker::Claiming(true)))];
            let (granted, mut claimed) = claim(state, at, rules)?;
            // The reply is lost, or the store is down. The response is 503; the lease, if any, ends by itself.
            for mut failed in [claimed.clone(), state.clone()] {
                failed.disturbed = true;
                if rules.failed_claim_stops {
                    failed.end(at);
                } else {
                    run(&mut failed, at, rules);
                }
                next.push(failed);
            }
            match (granted, is_cancelled) {
                (true, false) => run(&mut claimed, at, rules),
                (true, true) => claimed.workers[at] = Worker::Failed,
                (false, _) => {
                    responded(state, state.done || !rules.busy_is_no_success)?;
                    claimed.end(at);
                }
            }
            next.push(claimed);
            next
        }
        Worker::Running(is_cancelled) => {
            let mut completed = to(Worker::Completed);
            completed.completed = (state.completed + 1).min(2);
            let mut next = vec![completed, to(Worker::Failed)];
            if !is_cancelled {
                let mut cancelled = disturbed(to(Worker::Running(true)));
                if !rules.freed_after_end {
                    free(&mut cancelled, at, rules)?;
                }
                next.push(cancelled);
            }
            next
        }
        Worker::Completed => {
            responded(state, true)?;
            let mut failed = disturbed(state.clone());
            failed.end(at);
            let mut settled = state.clone();
            settled.done = true;
            if rules.done_by_anyone || state.store == Store::Leased(at) {
                settled.store = Store::Done;
            }
            settled.end(at);
            // Lost, as if the store was down; and written, whether the reply is lost or not.
            vec![failed, settled]
        }
        Worker::Failed => {
            responded(state, !rules.failure_is_no_success)?;
            let mut failed = disturbed(state.clone());
            failed.end(at);
            let mut settled = state.clone();
            free(&mut settled, at, rules)?;
            settled.end(at);
            vec![failed, settled]
        }
    })
}

/// Executes a claim. Returns whether it was granted.
fn claim(state: &State, at: usize, rules: Rules) -> Result<(bool, State), Broken> {
    let mut next = state.clone();
    let granted = match state.store {
        Store::Absent => true,
        Store::Leased(owner) => owner == at || !rules.claim_excludes,
        Store::Dead => !rules.claim_excludes,
        Store::Done => !rules.done_stays,
    };
    if granted {
        if state.done {
            return Err("an event was granted after it was done");
        }
        next.store = Store::Leased(at);
    }
    Ok((granted, next))
}

fn run(state: &mut State, at: usize, rules: Rules) {
    state.workers[at] = Worker::Running(false);
    if !rules.done_after_handler {
        (state.store, state.done) = (Store::Done, true);
    }
}

fn free(state: &mut State, at: usize, rules: Rules) -> Result<(), Broken> {
    match state.store {
        Store::Leased(owner) if owner == at => state.store = Store::Absent,
        Store::Leased(_) if !rules.free_compares => return Err("a request freed the lease of another one"),
        Store::Done if !rules.free_leaves_done => state.store = Store::Absent,
        Store::Absent | Store::Leased(_) | Store::Dead | Store::Done => {}
    }
    Ok(())
}

/// Checks a response of a worker.
const fn responded(state: &State, is_success: bool) -> Result<(), Broken> {
    if is_success && state.completed == 0 {
        return Err("an event was answered 2xx, and no handler of it completed");
    }
    Ok(())
}

fn check(state: &State) -> Result<(), Broken> {
    if state.running() > 1 && !state.lease_ended {
        return Err("two handlers of one event ran at once, and no lease had ended");
    }
    if state.completed > 1 && !state.lease_ended && !state.disturbed {
        return Err("the handler of an event completed twice without any disturbance");
    }
    Ok(())
}

/// Explores all states. Returns their number, or the invariant that a state breaks.
fn explore(rules: Rules) -> Result<usize, Broken> {
    let mut numbers = HashMap::from([(State::start(), 0)]);
    let mut open = VecDeque::from([State::start()]);
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let mut completed = Vec::new();
    while let Some(state) = open.pop_front() {
        check(&state)?;
        let number = numbers[&state];
        if state.completed > 0 {
            completed.push(number);
        }
        for next in steps(&state, rules)? {
            let known = numbers.len();
            let found = *numbers.entry(next.clone()).or_insert(known);
            if found == known {
                before.push(Vec::new());
                open.push_back(next);
            }
            before[found].push(number);
        }
    }
    // From each state, further repeats of the provider can still complete the event.
    let mut can_complete = vec![false; before.len()];
    while let Some(number) = completed.pop() {
        if !std::mem::replace(&mut can_complete[number], true) {
            completed.extend(&before[number]);
        }
    }
    if can_complete.contains(&false) {
        return Err("an event can never complete any more");
    }
    Ok(before.len())
}

#[test]
fn every_reachable_state_obeys_the_invariants() {
    let states = explore(ALL).unwrap();
    println!("{states} states");
    assert!(states > 500, "{states}");
}

#[test]
fn without_each_rule_an_invariant_is_broken() {
    let without = [
        ("claim_excludes", Rules { claim_excludes: false, ..ALL }),
        ("busy_is_no_success", Rules { busy_is_no_success: false, ..ALL }),
        ("failed_claim_stops", Rules { failed_claim_stops: false, ..ALL }),
        ("done_after_handler", Rules { done_after_handler: false, ..ALL }),
        ("done_by_anyone", Rules { done_by_anyone: false, ..ALL }),
        ("free_compares", Rules { free_compares: false, ..ALL }),
        ("free_leaves_done", Rules { free_leaves_done: false, ..ALL }),
        ("failure_is_no_success", Rules { failure_is_no_success: false, ..ALL }),
        ("freed_after_end", Rules { freed_after_end: false, ..ALL }),
        ("leases_end", Rules { leases_end: false, ..ALL }),
        ("done_stays", Rules { done_stays: false, ..ALL }),
    ];
    for (rule, rules) in without {
        let broken = explore(rules).unwrap_err();
        println!("without {rule}: {broken}");
    }
}
