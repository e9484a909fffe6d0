//! The schemas of the members that the three sending operations share.

use crate::channel::{BusinessChat, Failover, MessengerA, MessengerB, MessengerC, Sms};
use crate::schema::{Field, Format, HasKind, Kind, Location, Property};

pub(super) const TRAFFIC_ACCOUNT_ID: Field = Field::new(
    "traffic_account_id",
    "trafficAccountId",
    Kind::String,
    true,
    None,
    "The traffic account used for sending, a UUID; that of the configuration if absent.",
)
.config("traffic_account_id")
.properties(&[Property::Uuid]);
/// D5 does not list the member; a failover names its traffic accounts itself.
pub(super) const FAILOVER_TRAFFIC_ACCOUNT_ID: Field = Field::new(
    "traffic_account_id",
    "trafficAccountId",
    Kind::String,
    false,
    None,
    "A traffic account in addition to those of the failover, a UUID. Sent only if it is set here.",
)
.properties(&[Property::Uuid]);
pub(super) const DESTINATION: Field = Field::new(
    "destination",
    "destination",
    Kind::String,
    true,
    None,
    "Phone number, or the recipient's channel identifier.",
)
.properties(&[Property::Phone, Property::NotBlank]);
pub(super) const SMS: Field = Field::new("sms", "sms", Sms::KIND, false, None, "SMS.");
pub(super) const MESSENGER_A: Field =
    Field::new("messenger_a", "messenger_a", MessengerA::KIND, false, None, "The messenger_a object.");
pub(super) const MESSENGER_B: Field =
    Field::new("messenger_b", "messenger_b", MessengerB::KIND, false, None, "The messenger_b object.");
pub(super) const MESSENGER_C: Field =
    Field::new("messenger_c", "messenger_c", MessengerC::KIND, false, None, "The messenger_c object.");
pub(super) const BUSINESS_CHAT: Field = Field::new(
    "business_chat",
    "business_chat",
    BusinessChat::KIND,
    false,
    None,
    "The business_chat object.",
);
pub(super) const FAILOVER: Field = Field::new(
    "failover",
    "failover",
    Failover::KIND,
    false,
    None,
    "How the message moves to the next channel.",
);
pub(super) const DESTINATIONS: Field = Field::new(
    "destinations",
    "destinations",
    Kind::Array(&Kind::String),
    true,
    None,
    "The recipients: phone numbers, or identifiers of one channel.",
)
.properties(&[Property::Phone, Property::MinItems(1), Property::ItemsNotBlank]);
pub(super) const VERSION: Field = Field::new(
    "version",
    "version",
    Kind::String,
    false,
    None,
    "The version in the path, 1.1 or later; that of the configuration if absent.",
)
.sent(Location::Path, Format::Plain);

/// The JSON of a received message. All three operations accept `messengerA`, the name in the documented bulk sample.
pub(super) fn decode_message<'a, O: crate::operation::Operation>(
    request: &crate::request::IncomingRequest<'a>,
) -> Result<std::borrow::Cow<'a, str>, crate::request::RequestDecodeError> {
    let mut members = request.merged(&O::META)?;
    members.rename("messengerA", "messenger_a");
    members.into_json()
}
