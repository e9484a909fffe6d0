//! The JSON entries: what C, Python and the browser call.

use crate::error::Error;
use crate::http::{HttpRequest, HttpResponse};
use crate::operation::{Operation, Unreadable};
use crate::problem::Problem;
use crate::reconcile::Reconcile;
use crate::validate;
use crate::wire::{Validation, Wire};

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
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("request", &self.request)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

pub(crate) fn prepare<O: Operation>(request: &str, wire: &Wire) -> Result<Prepared, Error> {
    let mut reading = validate::read::<O>(request);
    let whole = reading.is_whole();
    match reading.operation.take() {
        Some(operation) if whole => {
            let mut prepared = typed(operation, wire)?;
            if wire.validation != Validation::Off {
                prepared.warnings.splice(0..0, reading.into_found());
            }
            Ok(prepared)
        }
        Some(mut operation) => {
            operation.complete(wire);
            let reference = operation.reference().map(str::to_owned);
            reading.operation = Some(operation);
            Err(Error::invalid(O::ID, reading.judge().1).with_reference(reference))
        }
        None => Err(Error::invalid(O::ID, reading.into_found())),
    }
}

pub(crate) fn typed<O: Operation>(mut operation: O, wire: &Wire) -> Result<Prepared, Error> {
    operation.complete(wire);
    let reference = operation.reference().map(str::to_owned);
    let problems = match wire.validation {
        Validation::Off => Vec::new(),
        Validation::Warn | Validation::Strict => validate::typed(&operation),
    };
    if wire.validation == Validation::Strict && problems.iter().any(Problem::is_error) {
        return Err(Error::invalid(O::ID, problems).with_reference(reference));
    }
    operation.sign(wire).map_err(|error| error.with_reference(reference.clone()))?;
    let reconcile = operation.reconcile(wire);
    Ok(Prepared { request: operation.prepare(wire)?, warnings: problems, reference, reconcile })
}

pub(crate) fn parse<O: Operation>(
    wire: &Wire,
    response: &HttpResponse,
) -> Result<(String, bool), Unreadable> {
    let output = O::parse(wire, response)?;
    let text = serde_json::to_string(&output).map_err(|_| Unreadable)?;
    Ok((text, O::proves(&output)))
}
