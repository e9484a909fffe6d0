//! Validates and prepares requests; the common part of typed calls and calls with JSON.

use crate::error::Error;
use crate::http::HttpRequest;
use crate::operation::{Operation, ResponseExpectation, RetrySafety, Validate};
use crate::problem::Problem;
use crate::reconcile::Reconcile;
use crate::request::{RequestContext, Validation};
use crate::schema::Schema;
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
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("request", &self.request)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

/// An operation without its concrete type, so that the functions below are compiled once and not for each operation.
trait DynOperation: Validate {
    fn meta(&self) -> (&'static str, &'static Schema);
    fn apply_defaults(&mut self, context: &RequestContext);
    fn sign(&mut self, context: &RequestContext) -> Result<(), Error>;
    fn prepare(&self, context: &RequestContext) -> Result<HttpRequest, Error>;
    fn reconcile(&self, context: &RequestContext) -> Option<Box<dyn Reconcile>>;
    fn reference(&self) -> Option<String>;
    fn retry_safety(&self) -> RetrySafety;
    fn expectation(&self) -> ResponseExpectation;
}

impl<O: Operation> DynOperation for O {
    fn meta(&self) -> (&'static str, &'static Schema) {
        (O::ID, &O::SCHEMA)
    }

    fn apply_defaults(&mut self, context: &RequestContext) {
        Operation::apply_defaults(self, context);
    }

    fn sign(&mut self, context: &RequestContext) -> Result<(), Error> {
        Operation::sign(self, context)
    }

    fn prepare(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        Operation::prepare(self, context)
    }

    fn reconcile(&self, context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        Operation::reconcile(self, context)
    }

    fn reference(&self) -> Option<String> {
        Operation::reference(self).map(str::to_owned)
    }

    fn retry_safety(&self) -> RetrySafety {
        Operation::safety(self)
    }

    fn expectation(&self) -> ResponseExpectation {
        Operation::expected(self)
    }
}

pub(crate) fn prepare<O: Operation>(request: &str, context: &RequestContext) -> Result<Prepared, Error> {
    let Reading { operation, found } = validate::read::<O>(request);
    match operation {
        Some(mut operation) => prepare_read(&mut operation, found, context),
        None => Err(Error::invalid(O::ID, found)),
    }
}

#[cfg(feature = "call")]
pub(crate) fn typed<O: Operation>(mut operation: O, context: &RequestContext) -> Result<Prepared, Error> {
    prepare_checked(&mut operation, context)
}

/// Prepares a request that was read with these problems (invalid types and duplicates).
fn prepare_read(
    operation: &mut dyn DynOperation,
    found: Vec<Problem>,
    context: &RequestContext,
) -> Result<Prepared, Error> {
    let stops = |problem: &Problem| problem.is_error() || context.validation.stops(problem);
    if found.iter().any(stops) {
        operation.apply_defaults(context);
        let (reference, (id, schema)) = (operation.reference(), operation.meta());
        return Err(
            Error::invalid(id, validate::merge_reports(operation, found, schema)).with_reference(reference)
        );
    }
    let mut prepared = prepare_checked(operation, context)?;
    if context.validation != Validation::Off {
        prepared.warnings.splice(0..0, found);
    }
    Ok(prepared)
}

fn prepare_checked(operation: &mut dyn DynOperation, context: &RequestContext) -> Result<Prepared, Error> {
    operation.apply_defaults(context);
    let (reference, (id, schema)) = (operation.reference(), operation.meta());
    let problems = match context.validation {
        Validation::Off => Vec::new(),
        _ => validate::check_operation(operation, schema),
    };
    if problems.iter().any(|problem| context.validation.stops(problem)) {
        return Err(Error::invalid(id, problems).with_reference(reference));
    }
    operation.sign(context).map_err(|error| error.with_reference(reference.clone()))?;
    Ok(Prepared {
        request: operation.prepare(context)?,
        warnings: problems,
        reference,
        reconcile: operation.reconcile(context),
        safety: operation.retry_safety(),
        expected: operation.expectation(),
    })
}
