//! The languages that have national language tables, 3GPP TS 23.038 section 6.2.1.2.4.

use serde::{Serialize, Serializer};

use super::OptionsError;
use crate::value::Value;

/// A language with national language tables. Its number is the identifier in the user data header; in JSON it is the ISO 639-1
/// code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Language {
    /// `tr`
    Turkish = 1,
    /// `es`: a single shift table only.
    Spanish = 2,
    /// `pt`
    Portuguese = 3,
    /// `bn`: Bengali and Assamese.
    Bengali = 4,
    /// `gu`
    Gujarati = 5,
    /// `hi`
    Hindi = 6,
    /// `kn`
    Kannada = 7,
    /// `ml`
    Malayalam = 8,
    /// `or`
    Oriya = 9,
    /// `pa`
    Punjabi = 10,
    /// `ta`
    Tamil = 11,
    /// `te`
    Telugu = 12,
    /// `ur`
    Urdu = 13,
}

const CODES: [&str; 13] = ["tr", "es", "pt", "bn", "gu", "hi", "kn", "ml", "or", "pa", "ta", "te", "ur"];

impl Language {
    /// Every language, in the order of the identifiers.
    pub const ALL: [Self; 13] = [
        Self::Turkish,
        Self::Spanish,
        Self::Portuguese,
        Self::Bengali,
        Self::Gujarati,
        Self::Hindi,
        Self::Kannada,
        Self::Malayalam,
        Self::Oriya,
        Self::Punjabi,
        Self::Tamil,
        Self::Telugu,
        Self::Urdu,
    ];

    /// The identifier in the user data header, 1 to 13.
    #[must_use]
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// The language with this identifier.
    #[must_use]
    pub fn from_id(id: u8) -> Option<Self> {
        Self::ALL.get(usize::from(id).checked_sub(1)?).copied()
    }

    /// The ISO 639-1 code.
    #[must_use]
    pub fn code(self) -> &'static str {
        CODES.get(usize::from(self.id()) - 1).copied().unwrap_or_default()
    }

    /// The language with this ISO 639-1 code, in lower case.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// The languages whose tables may be used. In JSON a list of codes, or `"auto"` for all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Languages {
    /// Bit N belongs to the language with the identifier N.
    bits: u16,
}

impl Languages {
    /// No national table: the default.
    pub const NONE: Self = Self { bits: 0 };
    /// Every language.
    pub const AUTO: Self = Self { bits: 0x3FFE };

    /// Adds a language.
    #[must_use]
    pub const fn with(mut self, language: Language) -> Self {
        self.bits |= 1 << language as u8;
        self
    }

    /// Whether it contains the language.
    #[must_use]
    pub const fn contains(self, language: Language) -> bool {
        self.bits & (1 << language as u8) != 0
    }

    /// Whether it contains no language.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Bit N is the language with the identifier N.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.bits
    }

    /// The inverse of [`bits`](Self::bits); `None` if another bit is set.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits & !Self::AUTO.bits == 0 { Some(Self { bits }) } else { None }
    }

    /// The languages with these ISO 639-1 codes.
    ///
    /// # Errors
    /// [`OptionsError::Languages`]: a code is unknown. The message lists the valid codes.
    pub fn from_codes<T: AsRef<str>>(codes: impl IntoIterator<Item = T>) -> Result<Self, OptionsError> {
        codes.into_iter().try_fold(Self::NONE, |languages, code| {
            Language::from_code(code.as_ref())
                .map(|language| languages.with(language))
                .ok_or(OptionsError::Languages)
        })
    }

    pub(super) fn from_value(value: &Value) -> Result<Self, OptionsError> {
        match value {
            Value::Null => Ok(Self::NONE),
            Value::String(name) if name == "auto" => Ok(Self::AUTO),
            Value::Array(codes) => {
                Self::from_codes(codes.iter().map(|code| code.as_str().unwrap_or_default()))
            }
            _ => Err(OptionsError::Languages),
        }
    }
}

impl FromIterator<Language> for Languages {
    fn from_iter<T: IntoIterator<Item = Language>>(languages: T) -> Self {
        languages.into_iter().fold(Self::NONE, Self::with)
    }
}

impl Serialize for Languages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(Language::ALL.into_iter().filter(|language| self.contains(*language)))
    }
}
