//! Family C: number lookup. Answers come from the number itself, the same each time.

use axum::response::Response;
use serde_json::{Value, json};

use crate::assumptions::D;
use crate::body::ok;
use crate::call::{Call, number};
use crate::ledger::fnv;
use crate::magic::{self, Magic};
use crate::numbers::{Network, network, other};
use crate::object::Item;
use crate::provider_error::{Outcome, ProviderError};
use crate::query;
use crate::time::iso;

/// The most numbers in a call (D31).
const MOST: usize = 1_000;
const COST: f64 = 0.005;

fn refuse(code: i64, text: &str) -> ProviderError {
    ProviderError::new(400, code, format!("{text} [sandbox]")).leaning(D(23))
}

/// GET: one number, or several separated by commas.
pub(crate) fn by_query(call: &mut Call<'_>) -> Outcome<Response> {
    let list = query::get(call.query, "msisdn").ok_or_else(|| refuse(902, "`msisdn` is required"))?;
    let numbers = list.split(',').map(given).collect::<Outcome<_>>()?;
    answer(call, numbers)
}

/// A number that is there, of whatever form.
fn given(number: &str) -> Outcome<String> {
    match number.trim() {
        "" => Err(refuse(902, "`msisdn` is blank")),
        _ => Ok(number.to_owned()),
    }
}

/// POST: a string or an array of strings.
pub(crate) fn by_body(call: &mut Call<'_>) -> Outcome<Response> {
    let object = call.object(&["msisdn"], 908)?;
    let bad = || refuse(902, "`msisdn` is a string or an array of strings");
    let numbers = match object.get("msisdn") {
        Some(Item::Text(list)) => given(list)?.split(',').map(str::to_owned).collect(),
        Some(Item::Deep(Value::Array(list))) => list
            .iter()
            .map(|one| one.as_str().ok_or_else(bad).and_then(given))
            .collect::<Outcome<Vec<String>>>()?,
        _ => return Err(bad()),
    };
    answer(call, numbers)
}

fn answer(call: &mut Call<'_>, numbers: Vec<String>) -> Outcome<Response> {
    call.note(D(39));
    if numbers.len() > MOST || numbers.is_empty() {
        return Err(refuse(902, "1 to 1000 numbers").leaning(D(31)));
    }
    let now = {
        let mut state = call.account.state();
        for one in &numbers {
            throttle(&mut state, one.trim())?;
        }
        state.clock.now()
    };
    let mut results = Vec::with_capacity(numbers.len());
    for given in &numbers {
        // The plus of a query string arrives as a blank.
        let given = given.trim();
        results.push(match number(call, given, true)? {
            Some(digits) if magic::of(&digits) != Some(Magic::Unassigned) => found(&digits, now),
            _ => {
                call.rely(D(38))?;
                json!({"msisdn": given, "cost": COST, "date": iso(now), "response": 902})
            }
        });
    }
    Ok(ok(&results))
}

fn throttle(state: &mut crate::state::State, to: &str) -> Outcome<()> {
    match magic::of(to) {
        Some(Magic::Throttled) => {
            Err(ProviderError::new(429, 906, "throttled by a magic number [sandbox]").retry_after(1))
        }
        Some(Magic::FirstCall503) if state.first_call(to) => {
            Err(ProviderError::new(503, 990, "first call to a magic number [sandbox]"))
        }
        _ => Ok(()),
    }
}

fn shown(network: Network) -> Value {
    json!({
        "networkName": format!("{} Mobile [sandbox]", network.name),
        "countryName": network.name,
        "countryPrefix": network.prefix,
    })
}

fn found(digits: &str, now: u64) -> Value {
    let home = network(digits);
    let hash = fnv(digits.as_bytes());
    let magic = magic::of(digits);
    let mut result = json!({
        "msisdn": digits,
        "mcc": home.mcc,
        "mnc": home.mnc,
        "ported": magic == Some(Magic::Ported),
        "originalNetwork": shown(home),
        "absent": magic == Some(Magic::Absent),
        "cost": COST,
        "date": iso(now),
        "response": 0,
    });
    let Value::Object(members) = &mut result else { return result };
    if magic == Some(Magic::Ported) {
        let mut now_at = home;
        now_at.mnc = "02";
        let mut network = shown(home);
        if let Value::Object(network) = &mut network {
            network.insert("networkName".to_owned(), json!(format!("{} Telecom [sandbox]", home.name)));
        }
        members.insert("mnc".to_owned(), json!(now_at.mnc));
        members.insert("originalMnc".to_owned(), json!(home.mnc));
        members.insert("portedNetwork".to_owned(), network);
    }
    if magic == Some(Magic::Roaming) {
        let visited = other(hash, home);
        members.insert("roaming".to_owned(), json!(true));
        members.insert("roamingMcc".to_owned(), json!(visited.mcc));
        members.insert("roamingMnc".to_owned(), json!(visited.mnc));
        members.insert("roamingNetwork".to_owned(), shown(visited));
        members.insert("msc".to_owned(), json!(format!("{}{:07}", visited.prefix, hash % 10_000_000)));
        members
            .insert("imsi".to_owned(), json!(format!("{}{}{:04}XXXXXX", home.mcc, home.mnc, hash % 10_000)));
    }
    result
}
