//! Validates a request by the library's rules and assigns the provider's error codes.

use std::borrow::Cow;

use cpaas::OperationId;
use cpaas::http::{Family, Method};
use cpaas::problem::codes;
use cpaas::request::IncomingRequest;
use cpaas::{Problem, Report};

use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::ordered_json::{Item, Object};
use crate::provider_error::{ProviderError, ProviderResult};
use crate::query_string;

/// Warnings that the sandbox treats as errors, each with its assumption. Validation only warns where the specification does
/// not define the behavior, but the sandbox must decide.
pub(crate) const REJECTED_WARNINGS: &[(&str, AssumptionId)] = &[
    ("failover.type.missing", AssumptionId(41)),
    ("failover.type.unknown", AssumptionId(41)),
    ("msg.channel.multiple", AssumptionId(42)),
    ("otp.bucket.number", AssumptionId(15)),
    ("otp.channel.unknown", AssumptionId(15)),
    ("otp.date.order", AssumptionId(15)),
    ("otp.guard_time.invalid", AssumptionId(9)),
    ("otp.limits.empty", AssumptionId(15)),
    ("otp.page", AssumptionId(20)),
    ("otp.page_size", AssumptionId(20)),
    ("otp.to.not_phone", AssumptionId(29)),
    ("otp.update.empty", AssumptionId(15)),
    ("otp.workflow.interval", AssumptionId(15)),
    ("sms.date.order", AssumptionId(27)),
    ("sms.sender.alnum_too_long", AssumptionId(55)),
    ("sms.sender.numeric_too_long", AssumptionId(55)),
    ("sms.to.length", AssumptionId(29)),
    ("sms.usage.missing", AssumptionId(27)),
];

/// Validates a request and stores it in the call as JSON with the library's names.
///
/// # Errors
/// The first error, or the first warning that the sandbox treats as an error.
pub(crate) fn validate(call: &mut Call<'_>, operation: OperationId) -> ProviderResult<()> {
    let path: Vec<(&str, &str)> =
        call.route.params.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let family = operation.meta().family;
    let owned = |(name, value): (Cow<'_, str>, Cow<'_, str>)| (name.into_owned(), value.into_owned());
    let mut query: Vec<(String, String)> = query_string::pairs(call.query).map(owned).collect();
    let mut body = call.body;
    if operation.meta().method == Method::Get {
        add_members(&mut query, body).map_err(|message| provider_error(family, "", "", &message))?;
        body = &[];
    }
    let request_json =
        operation.decode_request(&IncomingRequest::new(&path, &query, body)).map_err(|invalid| {
            let pointer =
                if invalid.member.is_empty() { String::new() } else { format!("/{}", invalid.member) };
            let message = match invalid.member {
                "" => "the body must be a JSON object",
                _ => "must be a JSON array in a string",
            };
            provider_error(family, &pointer, "", message)
        })?;
    let Report { errors, warnings, .. } = operation.validate_json(&request_json);
    // The provider cannot know whether a field was misspelled or is one of `extra`: it accepts unknown fields.
    let (misspelled, errors): (Vec<_>, Vec<_>) =
        errors.into_iter().partition(|problem| problem.code == codes::MSG_FIELD_MISSPELLED.id);
    let warnings = [misspelled, warnings].concat();
    let rejected = errors.first().or_else(|| warnings.iter().find(|one| assumption_of(&one.code).is_some()));
    let error = rejected.map(|problem| from_problem(family, problem));
    for problem in &warnings {
        if problem.code == "json.duplicate_member" {
            call.note(AssumptionId(66));
        }
        call.warn(format!("{}: {} [{}]", problem.pointer, problem.message, problem.code));
    }
    call.request_json = request_json.into_owned();
    call.warning_codes = warnings.into_iter().map(|problem| problem.code).collect();
    error.map_or(Ok(()), Err)
}

/// Adds the members of a GET's body to its query, because a sample of the specification passes parameters in the body.
fn add_members(query: &mut Vec<(String, String)>, body: &[u8]) -> Result<(), String> {
    if body.is_empty() {
        return Ok(());
    }
    for (name, item) in Object::parse(body)?.iter() {
        let text = match item {
            Item::Null => continue,
            Item::Text(text) => text.as_ref().to_owned(),
            other => other.to_value().to_string(),
        };
        query.push((name.to_owned(), text));
    }
    Ok(())
}

fn assumption_of(code: &str) -> Option<AssumptionId> {
    REJECTED_WARNINGS.iter().find(|(known, _)| *known == code).map(|(_, id)| *id)
}

fn from_problem(family: Family, problem: &Problem) -> ProviderError {
    // The numbers of `sms.send_bulk` are elements of one text.
    let element = problem.pointer.strip_prefix("/to/").and_then(|index| index.parse::<usize>().ok());
    let (pointer, message) = match element {
        Some(index) => ("/to", format!("{}; the first one is at position {}", problem.message, index + 1)),
        None => (problem.pointer.as_str(), problem.message.clone()),
    };
    let error = provider_error(family, pointer, &problem.code, &message);
    let error = if element.is_some() { error.assuming(AssumptionId(30)) } else { error };
    match assumption_of(&problem.code) {
        Some(default) => error.assuming(default),
        None => error,
    }
}

/// The provider's error for a rule, with the code of the family.
fn provider_error(family: Family, pointer: &str, code: &str, message: &str) -> ProviderError {
    let member = pointer.split('/').nth(1).unwrap_or_default();
    let named = match pointer.get(1..) {
        Some(path) if !path.is_empty() => format!("`{path}`: {message} [sandbox]"),
        _ => format!("{message} [sandbox]"),
    };
    match family {
        Family::Sms => {
            let error = ProviderError::new(400, sms_code(member), named);
            match code {
                "sms.to.not_digits" => error.assuming(AssumptionId(29)),
                _ if member == "from" => error.assuming(AssumptionId(55)),
                _ => error,
            }
        }
        Family::Lookup => {
            let code = if member == "msisdn" { 902 } else { 908 };
            ProviderError::new(400, code, named).assuming(AssumptionId(23))
        }
        Family::Messaging if code == "bulk.version" => {
            ProviderError::plain(404, format!("{message} [{code}]")).assuming(AssumptionId(51))
        }
        Family::Messaging => {
            let error = ProviderError::plain(400, format!("{message} [{code}]"))
                .at(pointer)
                .assuming(AssumptionId(41));
            match code {
                "msg.channel.missing" | "msg.channel.multiple" => error.assuming(AssumptionId(42)),
                "msg.destination.not_number" => error.assuming(AssumptionId(29)),
                _ if code.starts_with("messenger_c.markup.") => error.assuming(AssumptionId(64)),
                _ => error,
            }
        }
        Family::MessengerB => match (member, code) {
            ("url", _) => ProviderError::new(200, BAD_URL, named),
            (_, "webhook.messenger_b.event_types") => {
                ProviderError::new(200, UNKNOWN_EVENT, named).assuming(AssumptionId(66))
            }
            _ => ProviderError::new(200, BAD_REQUEST, named),
        },
        Family::Otp if member == "guardTime" => ProviderError::plain(400, named).assuming(AssumptionId(9)),
        Family::Otp if matches!(member, "page" | "pageSize") => {
            ProviderError::plain(400, named).assuming(AssumptionId(20))
        }
        Family::Otp => ProviderError::plain(400, named).assuming(AssumptionId(15)),
        _ => ProviderError::plain(400, named),
    }
}

/// The `status` of an error of the `messenger_b` webhook.
pub(crate) const BAD_REQUEST: i64 = 3;
const BAD_URL: i64 = 4;
const UNKNOWN_EVENT: i64 = 5;

/// The codes of D27, by member.
fn sms_code(member: &str) -> i64 {
    match member {
        "to" => 902,
        "from" => 904,
        "text" => 905,
        "callback" => 907,
        "messageId" => 911,
        "startDate" | "endDate" => 912,
        _ => 908,
    }
}
