//! Number lookup. Except for its date, a result depends only on the number.

use axum::response::Response;
use cpaas::http::Family;
use cpaas::lookup;
use cpaas::text::msisdn;
use serde_json::{Value, json};

use crate::assumptions::AssumptionId;
use crate::call::{Call, digits};
use crate::handlers::Handler::Now;
use crate::handlers::handles;
use crate::http_bodies::ok;
use crate::ledger::fnv;
use crate::magic_numbers::{self, Magic};
use crate::networks::{Network, network, other};
use crate::provider_error::{ProviderError, ProviderResult};
use crate::time_text::iso;

handles! {
    lookup::LookUpNumbers => Now(by_body),
    lookup::LookUpNumbersByQuery => Now(by_query),
}

/// The maximum number of numbers in a call (D31).
const MAX_NUMBERS: usize = 1_000;
const COST: f64 = 0.005;

/// GET: one number, or several separated by commas.
fn by_query(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: lookup::LookUpNumbersByQuery = call.request()?;
    let numbers = split(request.msisdn.as_slice());
    respond(call, numbers)
}

/// POST: a string or an array of strings.
fn by_body(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: lookup::LookUpNumbers = call.request()?;
    let numbers = split(request.msisdn.as_slice());
    respond(call, numbers)
}

fn split(numbers: &[String]) -> Vec<String> {
    numbers.iter().flat_map(|list| list.split(',')).map(str::to_owned).collect()
}

fn respond(call: &mut Call<'_>, numbers: Vec<String>) -> ProviderResult<Response> {
    call.note(AssumptionId(39));
    if numbers.len() > MAX_NUMBERS {
        let message = format!("at most {MAX_NUMBERS} numbers, got {} [sandbox]", numbers.len());
        return Err(ProviderError::new(400, 902, message)
            .assuming(AssumptionId(23))
            .assuming(AssumptionId(31)));
    }
    let now = {
        let mut state = call.account.state();
        for one in &numbers {
            state.throttle(one.trim(), Family::Lookup)?;
        }
        state.clock.now()
    };
    let mut results = Vec::with_capacity(numbers.len());
    for given in &numbers {
        // A plus in a query string is decoded as a space.
        let given = given.trim();
        let number = digits(call, given)?;
        results.push(
            match msisdn::is_shape(number) && magic_numbers::of(number) != Some(Magic::Unassigned) {
                true => found(number, now),
                false => {
                    call.assume(AssumptionId(38))?;
                    json!({"msisdn": given, "cost": COST, "date": iso(now), "response": 902})
                }
            },
        );
    }
    Ok(ok(&results))
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
    let magic = magic_numbers::of(digits);
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
