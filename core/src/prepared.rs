//! The JSON entries: what C, Python and the browser call.

use crate::error::Error;
use crate::http::{HttpRequest, HttpResponse};
#[cfg(feature = "http")]
use crate::operation::Doubt;
use crate::operation::{Expected, Operation, ResponseDecodeError, RetrySafety, Validate};
use crate::problem::{Problem, Problems};
use crate::reconcile::Reconcile;
use crate::schema::Schema;
use crate::validate::{self, Reading};
use crate::wire::{RequestContext, Validation};

/// A request that passed its checks.
#[non_exhaustive]
pub struct Prepared {
    /// The request.
    pub request: HttpRequest,
    /// What is worth knowing about it.
    pub warnings: Vec<Problem>,
    /// The caller's own tag.
    pub reference: Option<String>,
    /// How the provider's records tell whether it was done.
    pub reconcile: Option<Box<dyn Reconcile>>,
    /// How this request may be retried.
    pub safety: RetrySafety,
    /// What the response must agree with.
    pub expected: Expected,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("request", &self.request)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

/// An operation whose type is not known any more: what follows its parse is compiled once, not for each.
trait Known: Validate {
    fn meta(&self) -> (&'static str, &'static Schema);
    fn complete(&mut self, wire: &RequestContext);
    fn sign(&mut self, wire: &RequestContext) -> Result<(), Error>;
    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error>;
    fn reconcile(&self, wire: &RequestContext) -> Option<Box<dyn Reconcile>>;
    fn reference(&self) -> Option<String>;
    fn retry_safety(&self) -> RetrySafety;
    fn expectation(&self) -> Expected;
}

impl<O: Operation> Known for O {
    fn meta(&self) -> (&'static str, &'static Schema) {
        (O::ID, &O::SCHEMA)
    }

    fn complete(&mut self, wire: &RequestContext) {
        Operation::complete(self, wire);
    }

    fn sign(&mut self, wire: &RequestContext) -> Result<(), Error> {
        Operation::sign(self, wire)
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        Operation::prepare(self, wire)
    }

    fn reconcile(&self, wire: &RequestContext) -> Option<Box<dyn Reconcile>> {
        Operation::reconcile(self, wire)
    }

    fn reference(&self) -> Option<String> {
        Operation::reference(self).map(str::to_owned)
    }

    fn retry_safety(&self) -> RetrySafety {
        Operation::safety(self)
    }

    fn expectation(&self) -> Expected {
        Operation::expected(self)
    }
}

pub(crate) fn prepare<O: Operation>(request: &str, wire: &RequestContext) -> Result<Prepared, Error> {
    let Reading { operation, found } = validate::read::<O>(request);
    match operation {
        Some(mut operation) => read(&mut operation, found, wire),
        None => Err(Error::invalid(O::ID, found)),
    }
}

#[cfg(feature = "http")]
pub(crate) fn typed<O: Operation>(mut operation: O, wire: &RequestContext) -> Result<Prepared, Error> {
    known(&mut operation, wire)
}

/// From what was read and what was wrong with its types.
fn read(operation: &mut dyn Known, found: Vec<Problem>, wire: &RequestContext) -> Result<Prepared, Error> {
    if found.iter().any(Problem::is_error) {
        operation.complete(wire);
        let (reference, (id, shape)) = (operation.reference(), operation.meta());
        return Err(Error::invalid(id, validate::judged(operation, found, shape)).with_reference(reference));
    }
    let mut prepared = known(operation, wire)?;
    if wire.validation != Validation::Off {
        prepared.warnings.splice(0..0, found);
    }
    Ok(prepared)
}

fn known(operation: &mut dyn Known, wire: &RequestContext) -> Result<Prepared, Error> {
    operation.complete(wire);
    let (reference, (id, shape)) = (operation.reference(), operation.meta());
    let problems = match wire.validation {
        Validation::Off => Vec::new(),
        Validation::Warn | Validation::Strict => validate::checked(operation, shape),
    };
    if wire.validation == Validation::Strict && problems.iter().any(Problem::is_error) {
        return Err(Error::invalid(id, problems).with_reference(reference));
    }
    operation.sign(wire).map_err(|error| error.with_reference(reference.clone()))?;
    Ok(Prepared {
        request: operation.prepare(wire)?,
        warnings: problems,
        reference,
        reconcile: operation.reconcile(wire),
        safety: operation.retry_safety(),
        expected: operation.expectation(),
    })
}

/// A response that proves its success.
#[cfg(feature = "http")]
pub(crate) struct Confirmed {
    /// What is missing or unreadable in it.
    pub(crate) warnings: Vec<Problem>,
    /// The ids that the provider made.
    pub(crate) ids: Vec<String>,
}

/// Reads a successful response, and holds it to the request.
#[cfg(feature = "http")]
pub(crate) fn confirm<O: Operation>(
    wire: &RequestContext,
    response: &HttpResponse,
    expected: &Expected,
) -> Result<(O::Output, Confirmed), Doubt> {
    let mut warnings = Problems::default();
    let mut output = O::parse(wire, response, &mut warnings).map_err(|_| Doubt::Missing)?;
    O::confirm(&mut output, expected, &mut warnings)?;
    let ids = O::ids(&output).into_iter().filter(|id| !id.is_empty()).map(str::to_owned).collect();
    Ok((output, Confirmed { warnings: warnings.into_vec(), ids }))
}

/// [`confirm`], with the result as JSON.
#[cfg(feature = "http")]
pub(crate) fn confirm_json<O: Operation>(
    wire: &RequestContext,
    response: &HttpResponse,
    expected: &Expected,
) -> Result<(String, Confirmed), Doubt> {
    let (output, confirmed) = confirm::<O>(wire, response, expected)?;
    let text = serde_json::to_string(&output).map_err(|_| Doubt::Missing)?;
    Ok((text, confirmed))
}

/// Reads a successful response, whatever it proves.
pub(crate) fn parse<O: Operation>(
    wire: &RequestContext,
    response: &HttpResponse,
) -> Result<String, ResponseDecodeError> {
    let mut warnings = Problems::default();
    let mut output = O::parse(wire, response, &mut warnings)?;
    let _ = O::confirm(&mut output, &Expected::default(), &mut warnings);
    serde_json::to_string(&output).map_err(|_| ResponseDecodeError)
}
