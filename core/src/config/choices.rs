//! The settings with a fixed set of values.

use std::str::FromStr;

#[cfg(feature = "phone")]
use crate::text::msisdn::is_region;
use crate::util::named_enum;

named_enum! {
    /// The region of the SMS service.
    #[derive(Default)]
    pub enum Region {
        /// The nearest region.
        #[default]
        Nearest = "nearest",
        /// Frankfurt.
        Frankfurt = "frankfurt",
        /// Singapore.
        Singapore = "singapore",
        /// Hong Kong.
        HongKong = "hong_kong",
        /// The United States.
        UnitedStates = "united_states",
    }
}

named_enum! {
    /// How calls of the messaging service authenticate.
    #[derive(Default)]
    pub enum MessagingAuth {
        /// With the API-key header.
        #[default]
        Header = "header",
        /// With the account identifier and the API key (HTTP Basic).
        Basic = "basic",
        /// Without credentials.
        None = "none",
    }
}

named_enum! {
    /// The format of the response to a single SMS.
    #[derive(Default)]
    pub enum SmsFormat {
        /// JSON.
        #[default]
        Json = "json",
        /// XML.
        Xml = "xml",
    }
}

named_enum! {
    /// How requests are validated before a call.
    #[derive(Default)]
    pub enum Validation {
        /// An error prevents the call; warnings are returned with the result.
        #[default]
        Strict = "strict",
        /// As `Strict`, but a warning prevents the call too.
        Pedantic = "pedantic",
        /// Errors and warnings are returned with the result.
        Warn = "warn",
        /// Nothing is checked.
        Off = "off",
    }
}

/// How the recipients of a request are written in the form that is sent.
///
/// ```
/// use cpaas::config::Normalize;
///
/// assert_eq!("international".parse(), Ok(Normalize::International));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Normalize {
    /// Numbers with a country code, in any notation.
    International,
    /// The same, and numbers as they are dialed in a region: two letters of ISO 3166-1, such as `GR`. It requires the numbering
    /// plans (feature `phone`). A client checks the region when it is created.
    Region(String),
}

impl Normalize {
    /// The region, if there is one.
    pub(crate) fn region(&self) -> Option<&str> {
        match self {
            Self::International => None,
            Self::Region(region) => Some(region),
        }
    }

    /// Checks the region.
    pub(crate) fn check(&self) -> Result<(), InvalidNormalize> {
        match self {
            Self::International => Ok(()),
            #[cfg(feature = "phone")]
            Self::Region(region) if is_region(region) => Ok(()),
            Self::Region(_) => Err(InvalidNormalize),
        }
    }
}

/// Reads `international` or a region.
impl FromStr for Normalize {
    type Err = InvalidNormalize;

    fn from_str(name: &str) -> Result<Self, InvalidNormalize> {
        if name == "international" {
            return Ok(Self::International);
        }
        let region = Self::Region(name.to_owned());
        region.check().map(|()| region)
    }
}

/// The setting `normalize` has another value than `international` or a region. A region requires the numbering plans (feature
/// `phone`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidNormalize;

impl InvalidNormalize {
    /// What the setting must be.
    pub(super) const EXPECTED: &'static str = if cfg!(feature = "phone") {
        "\"international\" or a region: two letters of ISO 3166-1, such as GR, or GB for the United Kingdom"
    } else {
        "\"international\": a region requires the numbering plans (feature `phone`), which are not in this build"
    };
}

impl std::fmt::Display for InvalidNormalize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`normalize` must be {}", Self::EXPECTED)
    }
}

impl std::error::Error for InvalidNormalize {}
