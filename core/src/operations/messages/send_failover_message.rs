//! Sends one message over the first channel that delivers it (D5).

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    channel::envelope_rules::{self, Sending},
    channel::{Channel, Envelope, Failover},
    extra::Extra,
    model::optional_setters,
    operation::{Family, Method, Operation, ResponseExpectation, RetrySafety, SuccessMarker, Unconfirmed},
    problem::{Pointer, Problems, Validate},
    schema::{Field, HasKind, Kind, Model, Schema},
};
use crate::{
    error::Error,
    http::{HttpRequest, HttpResponse},
    operation::ResponseDecodeError,
    problem::codes,
    request::{IncomingRequest, RequestContext, RequestDecodeError},
    value::Value,
};

use super::message_fields;

/// Sends one message over the first channel that delivers it (D5). The channels are tried in their order.
///
/// The response is an array with one id for each channel.
///
/// # Example
///
/// ```
/// use cpaas::channel::{Failover, MessengerA, Sms};
/// use cpaas::messages::SendFailoverMessage;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
/// # let client = cpaas::Client::new(&sandbox.config())?;
///
/// # let account = sandbox.credentials().traffic_account_id.clone();
/// // The chat first. If it is not delivered within 60 seconds, an SMS.
/// let channels = [MessengerA::text("Gate B4").into(), Sms::new("Gate B4").sender("Acme").into()];
/// let failover = Failover::after_seconds(60, [account.clone(), account]);
/// let ids = client.call(SendFailoverMessage::new("306912345678", channels, failover)).await?;
/// # assert_eq!(ids.len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct SendFailoverMessage(pub Envelope);

impl SendFailoverMessage {
    /// Creates a message to a destination, with the channels in the order in which they are tried.
    #[must_use]
    pub fn new(
        destination: impl Into<String>,
        channels: impl IntoIterator<Item = Channel>,
        failover: impl Into<Failover>,
    ) -> Self {
        Self(Envelope {
            destination: Some(destination.into()),
            channels: channels.into_iter().collect(),
            failover: Some(failover.into()),
            ..Envelope::default()
        })
    }

    optional_setters! {
        in 0;
        /// Sets a traffic account in addition to those of the failover. D5 does not list the member, so it is sent only if it is set.
        traffic_account_id: String;
    }

    /// Adds a channel, which is tried after the previous ones.
    #[must_use]
    pub fn channel(mut self, channel: impl Into<Channel>) -> Self {
        self.0.channels.push(channel.into());
        self
    }

    /// Adds an undocumented member.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<crate::value::Value>) -> Self {
        self.0.extra.insert(name, value);
        self
    }
}

impl HasKind for SendFailoverMessage {
    const KIND: Kind = Kind::Object(&Self::SCHEMA);
}

impl Model for SendFailoverMessage {
    const FIELDS: &'static [Field] = &[
        message_fields::FAILOVER_TRAFFIC_ACCOUNT_ID,
        message_fields::DESTINATION,
        message_fields::SMS,
        message_fields::MESSENGER_A,
        message_fields::MESSENGER_B,
        message_fields::MESSENGER_C,
        message_fields::BUSINESS_CHAT,
        message_fields::FAILOVER.required(true),
    ];
    const SCHEMA: Schema = Schema::new(
        "SendFailoverMessage",
        "Sends one message over the first channel that delivers it (D5).",
        Self::FIELDS,
    )
    .related(&[message_fields::DESTINATIONS, message_fields::VERSION]);

    fn has(&self, wire: &str) -> bool {
        self.0.has(wire)
    }

    fn extra(&self) -> &Extra {
        &self.0.extra
    }

    fn serialize_body<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Operation for SendFailoverMessage {
    const ID: &'static str = "messages.send_failover";
    const FAMILY: Family = Family::Messaging;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/messages/send";
    const SAFETY: RetrySafety = RetrySafety::Send;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Ids;
    const SECTION: &'static str = "D5";
    const SMS_TEXT: Option<&'static str> = Some("/sms/text");
    type Output = Vec<Option<String>>;

    fn encode_request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        let body = context.single_body(&self.0);
        Ok(context.request(&Self::META, &context.names.send_path)?.body(body))
    }

    fn decode_request<'a>(
        request: &IncomingRequest<'a>,
    ) -> Result<std::borrow::Cow<'a, str>, RequestDecodeError> {
        message_fields::decode_message::<Self>(request)
    }

    /// The ids keep their indices; an unreadable one is `None`.
    fn parse(
        _context: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        let ids: Vec<Value> = serde_json::from_slice(&response.body).map_err(|_| ResponseDecodeError)?;
        let read = |(index, id): (usize, &Value)| match id {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) if !number.is_f64() => Some(number.to_string()),
            _ => {
                warnings.add(&codes::RESPONSE_MEMBER_UNREADABLE, &Pointer::ROOT.index(index));
                None
            }
        };
        Ok(ids.iter().enumerate().map(read).collect())
    }

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation { elements: Some(self.0.channels.len()), ..ResponseExpectation::default() }
    }

    /// One id for each channel: a message with more ids than channels is that of another request. A missing id is a warning, and
    /// so is a repeated one, which becomes `None`, because it does not show to which of its channels it belongs.
    fn confirm(
        ids: &mut Self::Output,
        expected: &ResponseExpectation,
        warnings: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        let channels = expected.elements.unwrap_or(ids.len());
        if ids.len() > channels {
            return Err(Unconfirmed::Mismatch);
        }
        let mut different = BTreeSet::new();
        for id in ids.iter_mut() {
            let is_repeated = id.as_ref().is_some_and(|id| !id.is_empty() && !different.insert(id.clone()));
            if is_repeated && !expected.repeated_ids {
                *id = None;
            }
        }
        if different.is_empty() {
            return Err(Unconfirmed::Missing);
        }
        if different.len() < channels {
            warnings.report(&codes::RESPONSE_ELEMENTS_MISSING, &Pointer::ROOT).limit(
                channels,
                different.len(),
                "elements",
            );
        }
        Ok(())
    }

    fn ids(ids: &Self::Output) -> Vec<&str> {
        ids.iter().flatten().map(String::as_str).collect()
    }
}

impl crate::json::fill_model::FillRequest for SendFailoverMessage {
    fn read(&mut self, _: &'static [Field], entry: crate::json::Entry<'_>) {
        self.0.read(entry);
    }

    fn recipients(
        &mut self,
        fields: &'static [Field],
        visit: &mut crate::model::recipient::VisitRecipient<'_>,
    ) {
        self.0.recipients(fields, false, visit);
    }
}

impl Validate for SendFailoverMessage {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        envelope_rules::check(&self.0, Sending::Failover, Self::FIELDS, at, problems);
    }
}
