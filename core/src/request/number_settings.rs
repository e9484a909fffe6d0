//! The settings about phone numbers: how they are normalized, and which are allowed.

use crate::config::{Config, InvalidNormalize, Normalize};
use crate::error::Error;
use crate::problem::{Pointer, Problems};
use crate::text::msisdn::PlannedNumber;
#[cfg(feature = "phone")]
use crate::{
    problem::codes,
    text::msisdn::{NumberType, is_region},
};

/// The settings of a client about the numbers of its requests.
#[derive(Clone, Default)]
pub(crate) struct NumberSettings {
    pub(crate) normalize: Option<Normalize>,
    #[cfg(feature = "phone")]
    countries: Option<Vec<String>>,
    #[cfg(feature = "phone")]
    types: Option<Vec<NumberType>>,
}

impl NumberSettings {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        #[cfg(not(feature = "phone"))]
        for (name, value) in
            [("allow_countries", &config.allow_countries), ("allow_types", &config.allow_types)]
        {
            if value.is_some() {
                return Err(Error::config(format!(
                    "`{name}` requires the numbering plans (feature `phone`), which are not in this build"
                )));
            }
        }
        if let Some(normalize) = &config.normalize {
            normalize.check().map_err(|error| Error::config(error.to_string()))?;
        }
        Ok(Self {
            normalize: config.normalize.clone(),
            #[cfg(feature = "phone")]
            countries: config.allow_countries.as_deref().map(countries).transpose()?,
            #[cfg(feature = "phone")]
            types: config.allow_types.as_deref().map(types).transpose()?,
        })
    }

    /// Only the setting `normalize`.
    pub(crate) fn normalizing(name: &str) -> Result<Self, InvalidNormalize> {
        Ok(Self {
            normalize: Some(name.parse()?),
            #[cfg(feature = "phone")]
            countries: None,
            #[cfg(feature = "phone")]
            types: None,
        })
    }

    /// Whether any of the settings is set.
    pub(crate) fn is_active(&self) -> bool {
        self.normalize.is_some() || self.has_policy()
    }

    /// Whether some numbers are not allowed.
    #[cfg(feature = "phone")]
    pub(crate) const fn has_policy(&self) -> bool {
        self.countries.is_some() || self.types.is_some()
    }

    /// Reports a number that is not allowed. A text that is not a number has neither a country nor a type.
    #[cfg(feature = "phone")]
    pub(crate) fn check_policy(
        &self,
        number: Option<&PlannedNumber<'_>>,
        at: &Pointer<'_>,
        problems: &mut Problems,
    ) {
        if let Some(countries) = &self.countries {
            let country = number.and_then(PlannedNumber::region);
            if !country.as_ref().is_some_and(|country| countries.iter().any(|allowed| allowed == country)) {
                let added = problems.report(&codes::POLICY_COUNTRY, at);
                if let Some(country) = country {
                    added.param("country", country);
                }
            }
        }
        if let Some(types) = &self.types {
            let kind = number.map_or(NumberType::Unknown, PlannedNumber::kind);
            if !types.iter().any(|allowed| allowed.includes(kind)) {
                problems.report(&codes::POLICY_TYPE, at).param("type", kind.as_str());
            }
        }
    }

    /// Without the numbering plans there is no policy.
    #[cfg(not(feature = "phone"))]
    pub(crate) const fn has_policy(&self) -> bool {
        false
    }

    /// Without the numbering plans there is no policy.
    #[cfg(not(feature = "phone"))]
    pub(crate) const fn check_policy(
        &self,
        _: Option<&PlannedNumber<'_>>,
        _: &Pointer<'_>,
        _: &mut Problems,
    ) {
    }
}

#[cfg(feature = "phone")]
fn countries(names: &[String]) -> Result<Vec<String>, Error> {
    let names = not_empty("allow_countries", names)?;
    if !names.iter().all(|name| is_region(name)) {
        return Err(Error::config(
            "`allow_countries` must contain two letters of ISO 3166-1 each, such as GR, or GB for the United Kingdom",
        ));
    }
    Ok(names.iter().map(|name| name.to_ascii_uppercase()).collect())
}

#[cfg(feature = "phone")]
fn types(names: &[String]) -> Result<Vec<NumberType>, Error> {
    let find = |name: &String| NumberType::ALL.iter().copied().find(|kind| kind.as_str() == name);
    let types: Option<_> = not_empty("allow_types", names)?.iter().map(find).collect();
    types.ok_or_else(|| {
        let names: Vec<_> = NumberType::ALL.iter().map(|kind| kind.as_str()).collect();
        Error::config(format!("`allow_types` must contain types of numbers: {}", names.join(", ")))
    })
}

#[cfg(feature = "phone")]
fn not_empty<'a>(setting: &str, names: &'a [String]) -> Result<&'a [String], Error> {
    if names.is_empty() {
        return Err(Error::config(format!(
            "`{setting}` must not be empty, because no number would be allowed"
        )));
    }
    Ok(names)
}
