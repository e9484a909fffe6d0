//! Sends one message to several destinations (D6).

use serde::Serialize;
use serde::{Deserialize, Deserializer};

use crate::{
    channel::envelope_rules::{self, Sending},
    channel::{Channel, Envelope, Failover},
    extra::Extra,
    model::{model, optional_setters},
    operation::{
        Family, Method, Operation, Recipients, ResponseExpectation, RetrySafety, SuccessMarker, Unconfirmed,
    },
    problem::{Pointer, Problems, Validate},
    provider_codes,
    schema::{Field, HasKind, Kind, Model, Schema},
};
use crate::{
    error::Error,
    http::HttpRequest,
    request::{IncomingRequest, RequestContext, RequestDecodeError, percent_encode_segment},
};

use super::message_fields;
use crate::operations::bulk_elements::{self, Element, ElementOutcome};

/// Sends one message to several destinations (D6). A channel object or `failover` without members counts as absent.
///
/// # Example
///
/// ```
/// use cpaas::channel::MessengerA;
/// use cpaas::messages::SendBulkMessage;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
/// # let client = cpaas::Client::new(&sandbox.config())?;
///
/// let numbers = ["306912345678", "306912345679"];
/// let sent = client.call(SendBulkMessage::new(numbers, MessengerA::text("We open at nine"))).await?;
/// for message in &sent.messages {
///     println!("{:?}: {:?}", message.destination, message.message_id);
/// }
/// # assert_eq!(sent.messages.len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct SendBulkMessage(pub Envelope);

impl SendBulkMessage {
    /// Creates a message to several destinations, with the content for one channel.
    #[must_use]
    pub fn new<T: Into<String>>(
        destinations: impl IntoIterator<Item = T>,
        channel: impl Into<Channel>,
    ) -> Self {
        Self(Envelope {
            destinations: Some(destinations.into_iter().map(Into::into).collect()),
            channels: vec![channel.into()],
            ..Envelope::default()
        })
    }

    optional_setters! {
        in 0;
        /// The traffic account used for sending; that of the configuration if absent.
        traffic_account_id: String;
        /// Sets when a message moves to the next channel.
        failover: Failover;
        /// The version in the path; that of the configuration if absent.
        version: String;
    }

    /// Adds a channel. Several channels require a failover.
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

    fn drop_empty(&mut self) {
        self.0.channels.retain(|channel| !channel.is_empty());
        if self.0.failover.as_ref().is_some_and(Failover::is_empty) {
            self.0.failover = None;
        }
    }
}

impl<'de> Deserialize<'de> for SendBulkMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut bulk = Self(Envelope::deserialize(deserializer)?);
        bulk.drop_empty();
        Ok(bulk)
    }
}

model! {
    /// The response to a bulk message (D6).
    pub struct BulkMessages {
        verdict {
            /// One element for each destination.
            messages: Vec<BulkMessage> = "messages",
        }
        documented {
            /// The id of the bulk message.
            bulk_id: String = "bulkId" where Shown,
        }
        derived {
            /// The number of elements with an id.
            accepted: i64 = "accepted",
            /// The number of elements that are rejections.
            rejected: i64 = "rejected",
            /// The number of requested elements without an id that are not rejections.
            missing: i64 = "missing",
        }
    }
}

model! {
    /// One message of a bulk message (D6).
    pub struct BulkMessage {
        documented {
            /// The id of the message.
            message_id: String = "messageId" where Shown,
        }
        optional {
            /// The recipient.
            destination: String = "destination",
            /// The traffic account used.
            traffic_account_id: String = "trafficAccountId",
        }
        derived {
            /// The outcome of this element.
            outcome: ElementOutcome = "outcome",
        }
    }
}

impl Element for BulkMessage {
    /// The same member as in a rejection of the whole request.
    const REJECTION: &'static str = "code";
    const IS_FAILURE: fn(i64) -> bool = provider_codes::is_messaging_failure;

    fn recipient(&self) -> Option<&str> {
        self.destination.as_deref()
    }

    fn id(&self) -> Option<&str> {
        self.message_id.as_deref()
    }

    fn member(&self, name: &str) -> Option<&crate::value::Value> {
        self.extra.get(name)
    }

    fn set_outcome(&mut self, outcome: ElementOutcome) {
        self.outcome = outcome;
    }
}

impl HasKind for SendBulkMessage {
    const KIND: Kind = Kind::Object(&Self::SCHEMA);
}

impl Model for SendBulkMessage {
    const FIELDS: &'static [Field] = &[
        message_fields::DESTINATIONS,
        message_fields::TRAFFIC_ACCOUNT_ID,
        message_fields::SMS,
        message_fields::MESSENGER_A,
        message_fields::MESSENGER_B,
        message_fields::MESSENGER_C,
        message_fields::BUSINESS_CHAT,
        message_fields::FAILOVER,
        message_fields::VERSION,
    ];
    const SCHEMA: Schema =
        Schema::new("SendBulkMessage", "Sends one message to several destinations (D6).", Self::FIELDS)
            .related(&[message_fields::DESTINATION]);

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

impl Operation for SendBulkMessage {
    const ID: &'static str = "messages.send_bulk";
    const FAMILY: Family = Family::Messaging;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/api/v{version}/Messages/sendbulk";
    const SAFETY: RetrySafety = RetrySafety::Send;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::IdOrMessages;
    const SECTION: &'static str = "D6";
    const SMS_TEXT: Option<&'static str> = Some("/sms/text");
    type Output = BulkMessages;

    fn apply_defaults(&mut self, context: &RequestContext) {
        self.drop_empty();
        context.fill_traffic_account(&mut self.0.traffic_account_id);
    }

    fn encode_request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        let version = self.0.version.as_deref().unwrap_or(&context.names.bulk_version);
        let path = Self::PATH.replace("{version}", &percent_encode_segment(version));
        let body = context.bulk_body(&self.0);
        Ok(context.request(&Self::META, &path)?.body(body))
    }

    fn decode_request<'a>(
        request: &IncomingRequest<'a>,
    ) -> Result<std::borrow::Cow<'a, str>, RequestDecodeError> {
        message_fields::decode_message::<Self>(request)
    }

    fn expected(&self) -> ResponseExpectation {
        let destinations = self.0.destinations.as_deref().unwrap_or_default();
        let recipients = Recipients::new(destinations.iter().map(String::as_str));
        let elements = self.0.destinations.as_ref().map(Vec::len);
        ResponseExpectation { elements, recipients, ..ResponseExpectation::default() }
    }

    fn confirm(
        sent: &mut BulkMessages,
        expected: &ResponseExpectation,
        warnings: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        let (counts, result) = bulk_elements::confirm(&mut sent.messages, expected, warnings);
        (sent.accepted, sent.rejected, sent.missing) = (counts.accepted, counts.rejected, counts.missing);
        result
    }

    fn id(sent: &BulkMessages) -> Option<&str> {
        sent.bulk_id.as_deref()
    }

    fn ids(sent: &BulkMessages) -> Vec<&str> {
        let of_elements = sent.messages.iter().filter_map(|message| message.message_id.as_deref());
        sent.bulk_id.as_deref().into_iter().chain(of_elements).collect()
    }
}

impl crate::json::fill_model::FillRequest for SendBulkMessage {
    fn read(&mut self, _: &'static [Field], entry: crate::json::Entry<'_>) {
        self.0.read(entry);
        self.drop_empty();
    }

    fn recipients(
        &mut self,
        fields: &'static [Field],
        visit: &mut crate::model::recipient::VisitRecipient<'_>,
    ) {
        self.0.recipients(fields, true, visit);
    }
}

impl Validate for SendBulkMessage {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        envelope_rules::check(&self.0, Sending::Bulk, Self::FIELDS, at, problems);
    }
}
