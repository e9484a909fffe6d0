//! Validates and prepares requests; the common part of typed calls and calls with JSON.

use crate::config::Validation;
use crate::error::Error;
use crate::http::HttpRequest;
#[cfg(feature = "call")]
use crate::model::recipient::{RecipientKind, RecipientText};
use crate::operation::{Operation, ResponseExpectation, RetrySafety};
#[cfg(feature = "call")]
use crate::problem::Pointer;
use crate::problem::{Problem, Severity};
use crate::reconcile::Reconcile;
use crate::request::RequestContext;
use crate::validate::{self, Reading};
#[cfg(feature = "call")]
use crate::value::Value;

/// A request that passed its checks.
#[non_exhaustive]
pub struct Prepared {
    /// The request.
    pub request: HttpRequest,
    /// Warnings of validation.
    pub warnings: Vec<Problem>,
    /// The caller's reference of the request.
    pub reference: Option<String>,
    /// The reconciliation with the provider's records, if the operation has one.
    pub reconcile: Option<Box<dyn Reconcile>>,
    /// How this request may be retried.
    pub safety: RetrySafety,
    /// The facts that the response must agree with.
    pub expected: ResponseExpectation,
    /// The numbers to which the request sends an SMS or a passcode, as written; empty for a client without stores, which does not
    /// read them.
    #[cfg(feature = "call")]
    pub(crate) sms_recipients: Vec<SmsRecipient>,
}

/// A number to which a request sends an SMS or a passcode.
#[cfg(feature = "call")]
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SmsRecipient {
    /// Its place in the request, as a JSON pointer.
    pub(crate) pointer: String,
    /// The number, as written.
    pub(crate) number: String,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("request", &self.request)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

pub(crate) fn prepare_json<O: Operation>(request: &str, context: &RequestContext) -> Result<Prepared, Error> {
    let Reading { operation, found } = validate::read::<O>(request);
    match operation {
        Some(mut operation) => prepare_read(&mut operation, found, context),
        None => Err(Error::invalid(O::ID, found)),
    }
}

#[cfg(feature = "call")]
pub(crate) fn prepare_typed<O: Operation>(
    mut operation: O,
    context: &RequestContext,
) -> Result<Prepared, Error> {
    check_and_encode(&mut operation, context)
}

/// Prepares a request that was read with these problems (invalid types and duplicates).
fn prepare_read<O: Operation>(
    operation: &mut O,
    found: Vec<Problem>,
    context: &RequestContext,
) -> Result<Prepared, Error> {
    if found.iter().any(|problem| problem.is_error() || stops(context.validation, problem)) {
        operation.apply_defaults(context);
        let problems = validate::check_rules_and_merge(operation, found, &O::SCHEMA, &context.numbers);
        return Err(Error::invalid(O::ID, problems).with_reference(reference(operation)));
    }
    let mut prepared = check_and_encode(operation, context)?;
    if context.validation != Validation::Off {
        prepared.warnings.splice(0..0, found);
    }
    Ok(prepared)
}

fn check_and_encode<O: Operation>(operation: &mut O, context: &RequestContext) -> Result<Prepared, Error> {
    operation.apply_defaults(context);
    let reference = reference(operation);
    let problems = match context.validation {
        Validation::Off => validate::check_policy(operation, &O::SCHEMA, &context.numbers),
        _ => validate::check_operation(operation, &O::SCHEMA, &context.numbers),
    };
    if problems.iter().any(|problem| problem.is_of_policy() || stops(context.validation, problem)) {
        return Err(Error::invalid(O::ID, problems).with_reference(reference));
    }
    operation.sign(context).map_err(|error| error.with_reference(reference.clone()))?;
    Ok(Prepared {
        request: operation.encode_request(context)?,
        warnings: problems,
        reference,
        reconcile: operation.reconcile(context),
        safety: operation.safety(),
        expected: operation.expected(),
        #[cfg(feature = "call")]
        sms_recipients: match context.keeps_sms_recipients {
            true => sms_recipients(operation),
            false => Vec::new(),
        },
    })
}

/// The numbers to which the request sends an SMS or a passcode. A member that is undocumented for this operation, such as
/// `destinations` of a message to one recipient, is sent as it is, so its numbers are recipients too.
#[cfg(feature = "call")]
fn sms_recipients<O: Operation>(operation: &mut O) -> Vec<SmsRecipient> {
    let mut found = Vec::new();
    if O::SAFETY != RetrySafety::Send {
        return found;
    }
    let mut sends_sms = true;
    for fields in [O::SCHEMA.fields, O::SCHEMA.related] {
        operation.recipients(fields, &mut |recipient| {
            let RecipientText { at, text, kind, is_list } = recipient;
            sends_sms = kind != RecipientKind::Identifier;
            if sends_sms {
                add_numbers(&at, text, is_list, &mut found);
            }
        });
    }
    if sends_sms {
        let fields = O::SCHEMA.fields.iter().chain(O::SCHEMA.related).filter(|field| field.is_phone);
        for field in fields {
            if let Some(value) = operation.extra().get(field.wire) {
                add_values(&Pointer::ROOT.key(field.wire), value, &mut found);
            }
        }
    }
    found
}

#[cfg(feature = "call")]
fn add_numbers(at: &Pointer<'_>, text: &str, is_list: bool, found: &mut Vec<SmsRecipient>) {
    if !is_list {
        found.push(SmsRecipient { pointer: at.to_string(), number: text.to_owned() });
        return;
    }
    for (index, number) in text.split(',').enumerate() {
        found.push(SmsRecipient { pointer: at.index(index).to_string(), number: number.to_owned() });
    }
}

/// Adds the numbers of a member that the program added to the documented ones.
#[cfg(feature = "call")]
fn add_values(at: &Pointer<'_>, value: &Value, found: &mut Vec<SmsRecipient>) {
    match value {
        Value::String(text) => add_numbers(at, text, text.contains(','), found),
        Value::Number(number) => add_numbers(at, &number.to_string(), false, found),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                add_values(&at.index(index), value, found);
            }
        }
        _ => {}
    }
}

/// Whether a problem prevents a call.
fn stops(validation: Validation, problem: &Problem) -> bool {
    match validation {
        Validation::Strict => problem.is_error(),
        Validation::Pedantic => problem.severity != Severity::Info,
        Validation::Warn | Validation::Off => false,
    }
}

fn reference<O: Operation>(operation: &O) -> Option<String> {
    O::REFERENCE.and_then(|read| read(operation)).map(str::to_owned)
}
