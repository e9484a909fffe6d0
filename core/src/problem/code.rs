use serde::Serialize;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The specification forbids it: the call is refused.
    Error,
    /// Allowed, and probably not what was meant.
    Warning,
    /// Worth knowing.
    Info,
}

/// One row of the table of codes.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// The stable name, `family.member.fault`.
    pub id: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// Where the rule comes from: a section of the specification, or the field's practice.
    pub source: &'static str,
    /// The message when a rule says nothing more exact.
    pub message: &'static str,
}

impl Code {
    pub(crate) const fn name(&self) -> &'static str {
        self.id
    }

    pub(crate) const fn sentence(&self) -> &'static str {
        self.message
    }
}

/// Declares codes and the table of all of them.
macro_rules! codes {
    ($( $name:ident = $id:literal, $severity:ident, $source:literal, $message:literal; )*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $message)]
            pub static $name: $crate::problem::Code = $crate::problem::Code {
                id: $id,
                severity: $crate::problem::Severity::$severity,
                source: $source,
                message: $message,
            };
        )*
        /// The codes of this table.
        pub(super) static TABLE: &[&$crate::problem::Code] = &[$(&$name),*];
    };
}

pub(crate) use codes;
