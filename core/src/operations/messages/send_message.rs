//! Sends one message over one channel (D1).

use serde::Serialize;

use crate::{
    channel::envelope_rules::{self, Sending},
    channel::{Channel, Envelope},
    extra::Extra,
    model::{model, optional_setters},
    operation::{Family, Method, Operation, ResponseExpectation, RetrySafety, SuccessMarker, Unconfirmed},
    problem::{Pointer, Problems, Validate},
    schema::{Field, HasKind, Kind, Model, Schema},
};
use crate::{
    error::Error,
    http::HttpRequest,
    request::{IncomingRequest, RequestContext, RequestDecodeError},
};

use super::message_fields;

/// Sends one message over one channel (D1).
///
/// # Example
///
/// ```
/// use cpaas::channel::MessengerA;
/// use cpaas::messages::SendMessage;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
/// # let client = cpaas::Client::new(&sandbox.config())?;
///
/// let sent = client.call(SendMessage::new("306912345678", MessengerA::text("Your parcel is here"))).await?;
/// println!("{:?}", sent.message_id);
/// # assert!(sent.message_id.is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct SendMessage(pub Envelope);

impl SendMessage {
    /// Creates a message to a destination, with the content for one channel.
    #[must_use]
    pub fn new(destination: impl Into<String>, channel: impl Into<Channel>) -> Self {
        Self(Envelope {
            destination: Some(destination.into()),
            channels: vec![channel.into()],
            ..Envelope::default()
        })
    }

    optional_setters! {
        in 0;
        /// The traffic account used for sending; that of the configuration if absent.
        traffic_account_id: String;
    }

    /// Adds an undocumented member.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<crate::value::Value>) -> Self {
        self.0.extra.insert(name, value);
        self
    }
}

model! {
    /// The response to a message (D1a).
    pub struct Message {
        documented {
            /// The id of the message.
            message_id: String = "messageId" where Shown,
        }
        optional {
            /// Another id; documented only in the response of `messenger_b`.
            id: String = "id" where Shown,
            /// The sender.
            sender: Participant = "sender",
            /// The conversation of the message.
            conversation: Conversation = "conversation",
            /// The time of creation: ISO 8601, UTC.
            created_at: String = "createdAt" where Shown & Moment,
            /// The time of the last change: ISO 8601, UTC.
            updated_at: String = "updatedAt" where Shown & Moment,
            /// The traffic account used.
            traffic_account_id: String = "trafficAccountId",
            /// `Ready` right after acceptance.
            delivery_status: String = "deliveryStatus" where Shown,
        }
    }
}

model! {
    /// A conversation (D1a).
    pub struct Conversation {
        documented {
            /// Its id.
            id: String = "id" where Shown,
        }
        optional {
            /// The sender and the recipient. The entry of the recipient has a number or a channel identifier only.
            participants: Vec<Participant> = "participants",
        }
    }
}

model! {
    /// One side of a conversation (D1a).
    pub struct Participant {
        optional {
            /// Its id.
            id: String = "id" where Shown,
            /// Its name.
            name: String = "name",
            /// Its phone number.
            phone_number: String = "phoneNumber",
            /// Its identifier in the channel.
            messaging_app_identifier: String = "messagingAppIdentifier",
        }
    }
}

impl HasKind for SendMessage {
    const KIND: Kind = Kind::Object(&Self::SCHEMA);
}

impl Model for SendMessage {
    const FIELDS: &'static [Field] = &[
        message_fields::TRAFFIC_ACCOUNT_ID,
        message_fields::DESTINATION,
        message_fields::SMS,
        message_fields::MESSENGER_A,
        message_fields::MESSENGER_B,
        message_fields::MESSENGER_C,
        message_fields::BUSINESS_CHAT,
    ];
    const SCHEMA: Schema =
        Schema::new("SendMessage", "Sends one message over one channel (D1).", Self::FIELDS).related(&[
            message_fields::DESTINATIONS,
            message_fields::FAILOVER,
            message_fields::VERSION,
        ]);

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

impl Operation for SendMessage {
    const ID: &'static str = "messages.send";
    const FAMILY: Family = Family::Messaging;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/messages/send";
    const SAFETY: RetrySafety = RetrySafety::Send;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Id;
    const SECTION: &'static str = "D1";
    const SMS_TEXT: Option<&'static str> = Some("/sms/text");
    type Output = Message;

    fn apply_defaults(&mut self, context: &RequestContext) {
        context.fill_traffic_account(&mut self.0.traffic_account_id);
    }

    fn encode_request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        let body = context.single_body(&self.0);
        Ok(context.request(&Self::META, &context.names.send_path)?.body(body))
    }

    fn decode_request<'a>(
        request: &IncomingRequest<'a>,
    ) -> Result<std::borrow::Cow<'a, str>, RequestDecodeError> {
        message_fields::decode_message::<Self>(request)
    }

    /// Every response documents `messageId`; `id` alone may be that of another record.
    fn confirm(sent: &mut Message, _: &ResponseExpectation, _: &mut Problems) -> Result<(), Unconfirmed> {
        if sent.message_id.as_deref().is_none_or(str::is_empty) {
            Err(Unconfirmed::IdMissing)
        } else {
            Ok(())
        }
    }

    fn ids(sent: &Message) -> Vec<&str> {
        sent.message_id.as_deref().into_iter().collect()
    }
}

impl crate::json::fill_model::FillRequest for SendMessage {
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

impl Validate for SendMessage {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        envelope_rules::check(&self.0, Sending::Single, Self::FIELDS, at, problems);
    }
}
