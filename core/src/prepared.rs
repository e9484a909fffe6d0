//! Validates and prepares requests; the common part of typed calls and calls with JSON.

use crate::config::Validation;
use crate::error::Error;
use crate::http::HttpRequest;
#[cfg(feature = "call")]
use crate::model::recipient::RecipientKind;
use crate::operation::{Operation, ResponseExpectation, RetrySafety};
use crate::problem::{Problem, Severity};
use crate::reconcile::Reconcile;
use crate::request::RequestContext;
use crate::validate::{self, Reading};

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
    pub(crate) sms_recipients: Vec<String>,
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

/// The numbers to which the request sends an SMS or a passcode.
#[cfg(feature = "call")]
fn sms_recipients<O: Operation>(operation: &mut O) -> Vec<String> {
    let mut numbers = Vec::new();
    if O::SAFETY != RetrySafety::Send {
        return numbers;
    }
    operation.recipients(O::SCHEMA.fields, &mut |recipient| match recipient.kind {
        RecipientKind::Identifier => {}
        RecipientKind::Number | RecipientKind::NumberOrIdentifier if recipient.is_list => {
            numbers.extend(recipient.text.split(',').map(str::to_owned));
        }
        RecipientKind::Number | RecipientKind::NumberOrIdentifier => numbers.push(recipient.text.clone()),
    });
    numbers
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
