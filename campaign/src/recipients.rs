//! The recipients of a campaign: the form in which they are compared, and the form that is sent.

use std::borrow::Cow;
use std::iter;

use cpaas::OperationId;
use cpaas::channel::Channel;
use cpaas::text::msisdn::{self, Assignment, NotANumber};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::prices::Prices;

/// What is wrong with a number that no numbering plan has.
pub(crate) const IMPOSSIBLE: &str =
    "must be a phone number with its country code, got one that is not possible in any country";

/// The value of the setting `normalize` for numbers with their country code in any notation.
const INTERNATIONAL: &str = "international";

/// How recipients of a campaign are compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recipients {
    /// Whether they are phone numbers. Otherwise they may be identifiers of a chat channel.
    pub(crate) has_numbers: bool,
    region: Option<String>,
}

impl Recipients {
    /// Recipients of requests, which `has` says the members of. `normalize` is the setting of that name.
    pub(crate) fn new(operation: OperationId, has: impl Fn(&str) -> bool, normalize: Option<&str>) -> Self {
        Self::stored(has_numbers(operation, has), normalize)
    }

    /// Recipients of a campaign that was created before.
    pub(crate) fn stored(has_numbers: bool, normalize: Option<&str>) -> Self {
        Self { has_numbers, region: normalize.filter(|name| *name != INTERNATIONAL).map(str::to_owned) }
    }

    /// Checks the setting `normalize`.
    ///
    /// # Errors
    /// When it is neither a region nor `international`.
    pub(crate) fn check(&self) -> Result<()> {
        match msisdn::normalize_number("306912345678", self.region.as_deref()) {
            Err(error @ (NotANumber::Region | NotANumber::NoPlans)) => {
                Err(Error::Setting(format!("normalize: {error}; or use \"international\"")))
            }
            _ => Ok(()),
        }
    }

    /// The form in which a recipient of a list is compared, which may be in the national form of the region: the canonical form of a
    /// number, anything else verbatim.
    ///
    /// # Errors
    /// When only numbers are recipients, and the text is not one.
    pub(crate) fn form<'a>(&self, text: &'a str) -> Result<Cow<'a, str>, NotANumber> {
        self.form_in(text, self.region.as_deref())
    }

    /// The number with its country code that has the digits of a national number of the region. A list that does not say which of the
    /// two it means suppresses both.
    pub(crate) fn other_form(&self, text: &str) -> Option<String> {
        let is_number = self.has_numbers && self.region.is_some();
        is_number.then(|| msisdn::with_country_code(text)).flatten()
    }

    fn form_in<'a>(&self, text: &'a str, region: Option<&str>) -> Result<Cow<'a, str>, NotANumber> {
        let text = text.trim();
        if self.is_number(text) {
            let number = msisdn::normalize_number(text, region);
            return if self.has_numbers { number } else { Ok(number.unwrap_or(Cow::Borrowed(text))) };
        }
        if text.is_empty() { Err(NotANumber::Empty) } else { Ok(Cow::Borrowed(text)) }
    }

    /// Whether a recipient is a number and not the identifier of a person of a chat channel.
    pub(crate) fn is_number(&self, text: &str) -> bool {
        self.has_numbers || msisdn::has_international_prefix(text)
    }

    /// Whether national numbers of a region are accepted.
    pub(crate) const fn has_region(&self) -> bool {
        self.region.is_some()
    }

    /// The recipients of a request in the form in which they are compared, those without one verbatim. A request that was
    /// normalized has the provider's form, which the region must not change again.
    pub(crate) fn of(&self, operation: OperationId, request: &Value) -> Vec<String> {
        let form = |text: &str| self.form_in(text, None).map_or_else(|_| text.to_owned(), Cow::into_owned);
        texts(operation, request).into_iter().map(form).collect()
    }

    /// Replaces the numbers among the recipients of a request by their canonical form.
    ///
    /// # Errors
    /// What is wrong with a recipient that must be a number and is not one, or is not possible in any country: two numbers or an extension
    /// in one cell would become another number.
    pub(crate) fn normalize(&self, operation: OperationId, request: &mut Value) -> Result<(), String> {
        let found = operation.meta().recipients.and_then(|member| request.get_mut(member));
        match found {
            Some(Value::String(text)) => {
                let numbers = text.split(',').map(|text| self.sent(text)).collect::<Result<Vec<_>, _>>()?;
                *text = numbers.join(",");
            }
            Some(Value::Array(values)) => {
                for value in values {
                    if let Value::String(text) = value {
                        *text = self.sent(text)?.into_owned();
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The form of a recipient that is sent.
    fn sent<'a>(&self, text: &'a str) -> Result<Cow<'a, str>, String> {
        if !self.is_number(text) {
            return Ok(Cow::Borrowed(text));
        }
        let form =
            msisdn::normalize_number(text, self.region.as_deref()).map_err(|reason| reason.to_string())?;
        if msisdn::assignment(&form) == Assignment::Impossible {
            return Err(IMPOSSIBLE.to_owned());
        }
        Ok(form)
    }
}

/// The first recipient without a price.
pub(crate) fn unpriced<'a>(recipients: &'a [String], prices: &Prices) -> Option<&'a str> {
    let is_unpriced =
        |recipient: &&String| !msisdn::is_canonical(recipient) || prices.find(recipient).is_none();
    recipients.iter().find(is_unpriced).map(String::as_str)
}

/// The texts of the recipients of a request. A member of a related operation, such as `destinations` of a message to one recipient, is
/// sent as it is, so its texts are recipients too.
pub(crate) fn texts(operation: OperationId, request: &Value) -> Vec<&str> {
    let input = operation.meta().input;
    let members = input.fields.iter().chain(input.related).filter(|field| field.is_phone);
    let names = members.flat_map(|field| iter::once(&field.wire).chain(field.aliases));
    let mut texts = Vec::new();
    for value in names.filter_map(|name| request.get(name)) {
        match value {
            Value::String(text) => texts.extend(text.split(',')),
            Value::Array(values) => texts.extend(values.iter().filter_map(Value::as_str)),
            _ => {}
        }
    }
    texts
}

/// Whether the recipients of a request are phone numbers: it has no channel, or only `sms`.
fn has_numbers(operation: OperationId, has: impl Fn(&str) -> bool) -> bool {
    let is_message = operation.meta().id.starts_with("messages.");
    !is_message || has("sms") && !Channel::NAMES.iter().any(|name| *name != "sms" && has(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(operation: OperationId, request: &Value) -> Vec<String> {
        Recipients::new(operation, |name| request.get(name).is_some(), None).of(operation, request)
    }

    #[test]
    fn numbers_are_compared_in_their_canonical_form() {
        for to in
            ["+30 690 000 0001", "0030-6900000001", "306900000001", "tel:+306900000001", "+30 (0) 6900000001"]
        {
            assert_eq!(of(OperationId::SmsSend, &json!({"to": to})), ["306900000001"], "{to}");
        }
        assert_eq!(of(OperationId::SmsSend, &json!({"to": "690 000 0001"})), ["690 000 0001"]);
        let request = json!({"destinations": ["abc=", "306900000002"], "messenger_c": {}});
        assert_eq!(of(OperationId::MessagesSendBulk, &request), ["abc=", "306900000002"]);
    }

    #[test]
    fn members_of_related_operations_and_other_spellings_contain_recipients() {
        let both = json!({"destination": "306900000001", "destinations": ["+306900000002", 5], "sms": {}});
        for operation in
            [OperationId::MessagesSend, OperationId::MessagesSendFailover, OperationId::MessagesSendBulk]
        {
            let mut found = of(operation, &both);
            found.sort_unstable();
            assert_eq!(found, ["306900000001", "306900000002"], "{operation:?}");
        }
        assert_eq!(of(OperationId::OtpSend, &json!({"To": "+306900000001"})), ["306900000001"]);
    }

    #[test]
    fn identifiers_of_chat_channels_are_never_changed() {
        let chat =
            Recipients::new(OperationId::MessagesSend, |name| name == "messenger_c", Some(INTERNATIONAL));
        for text in ["6912345678", "ann 1", "a-b", "0691"] {
            assert_eq!(chat.form(text).as_deref(), Ok(text));
            let mut request = json!({"destination": text});
            chat.normalize(OperationId::MessagesSend, &mut request).unwrap();
            assert_eq!(request["destination"], text);
        }
        assert_eq!(chat.form("+30 691 234 5678").as_deref(), Ok("306912345678"));
    }

    #[test]
    fn what_is_sent_is_the_canonical_form() {
        let numbers = Recipients::new(OperationId::SmsSendBulk, |_| false, Some(INTERNATIONAL));
        let mut request = json!({"to": "+30 691 234 5678, 0030 6900000001"});
        numbers.normalize(OperationId::SmsSendBulk, &mut request).unwrap();
        assert_eq!(request["to"], "306912345678,306900000001");
        let error = numbers.normalize(OperationId::SmsSend, &mut json!({"to": "0691 234 5678"}));
        assert_eq!(error, Err(NotANumber::National.to_string()));
    }
}
