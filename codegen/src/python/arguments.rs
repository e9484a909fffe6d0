//! The arguments of the methods of the Python client.

use cpaas::channel::Channel;
use cpaas::operation::Meta;
use cpaas::schema::Field;

use super::literals::snake;

/// Members that the configuration provides if a request lacks them.
const CONFIGURED: &[&str] = &["trafficAccountId", "accountSid"];

/// One argument of a method.
pub(super) enum Argument {
    /// A member of the request.
    Member { name: String, field: &'static Field, required: bool },
    /// The channel objects of a failover, whose order matters.
    Channels,
}

impl Argument {
    /// Its name on the wire; `*` for the channels, which have names of their own.
    pub(super) const fn wire(&self) -> &'static str {
        match self {
            Self::Member { field, .. } => field.wire,
            Self::Channels => "*",
        }
    }

    /// Its name in Python.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Member { name, .. } => name,
            Self::Channels => "channels",
        }
    }
}

/// The arguments of an operation, in the order that the native module expects.
pub(super) fn arguments(meta: &'static Meta) -> Vec<Argument> {
    let ordered = meta.input.field("failover").is_some();
    let mut arguments = Vec::new();
    let mut channels = false;
    for field in meta.input.fields {
        if ordered && Channel::NAMES.contains(&field.wire) {
            if !std::mem::replace(&mut channels, true) {
                arguments.push(Argument::Channels);
            }
            continue;
        }
        let required = field.required && !CONFIGURED.contains(&field.wire);
        arguments.push(Argument::Member { name: snake(field.wire), field, required });
    }
    arguments
}
