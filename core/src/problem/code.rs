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
    #[cfg(feature = "wire")]
    pub id: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// Where the rule comes from: a section of the specification, or the field's practice.
    #[cfg(feature = "wire")]
    pub source: &'static str,
    /// The message when a rule says nothing more exact.
    #[cfg(feature = "wire")]
    pub message: &'static str,
    /// Both texts as one, which takes less room, and the bytes of the name.
    #[cfg(not(feature = "wire"))]
    texts: (&'static str, u8),
}

#[cfg(feature = "wire")]
impl Code {
    pub(crate) const fn name(&self) -> &'static str {
        self.id
    }

    pub(crate) const fn sentence(&self) -> &'static str {
        self.message
    }
}

#[cfg(not(feature = "wire"))]
impl Code {
    pub(crate) const fn joined(texts: &'static str, id: &str, severity: Severity) -> Self {
        Self { severity, texts: (texts, id.len() as u8) }
    }

    fn halves(&self) -> (&'static str, &'static str) {
        self.texts.0.split_at_checked(self.texts.1.into()).unwrap_or_default()
    }

    pub(crate) fn name(&self) -> &'static str {
        self.halves().0
    }

    pub(crate) fn sentence(&self) -> &'static str {
        self.halves().1
    }
}

/// Declares codes and the table of all of them.
macro_rules! codes {
    ($( $name:ident = $id:literal, $severity:ident, $source:literal, $message:literal; )*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $message)]
            #[cfg(feature = "wire")]
            pub static $name: $crate::problem::Code = $crate::problem::Code {
                id: $id,
                severity: $crate::problem::Severity::$severity,
                source: $source,
                message: $message,
            };
            #[doc = concat!("`", $id, "`: ", $message)]
            #[cfg(not(feature = "wire"))]
            pub static $name: $crate::problem::Code =
                $crate::problem::Code::joined(concat!($id, $message), $id, $crate::problem::Severity::$severity);
        )*
        /// The codes of this table.
        pub(super) static TABLE: &[&$crate::problem::Code] = &[$(&$name),*];
    };
}

pub(crate) use codes;
