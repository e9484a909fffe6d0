//! Codes of the messaging API (D1-D6).

use crate::problem::code::codes;

codes! {
    MSG_TRAFFIC_ACCOUNT_ID_REQUIRED = "msg.traffic_account_id.required", Error, "spec D1", "the traffic account is missing";
    MSG_DESTINATION_REQUIRED = "msg.destination.required", Error, "spec D1", "the destination is missing or blank";
    MSG_CHANNEL_MISSING = "msg.channel.missing", Error, "spec D1", "the message has no channel object";
    MSG_CHANNEL_MULTIPLE = "msg.channel.multiple", Error, "spec D1", "more than one channel object without `failover`";
    MESSENGER_B_TTL_NOT_INTEGER = "messenger_b.ttl.not_integer", Error, "spec D2", "the time to live is a whole number of seconds";
    MESSENGER_C_LOCATION_LATITUDE = "messenger_c.location.latitude", Error, "inferred", "the latitude is missing or outside -90 to 90";
    MESSENGER_C_LOCATION_LONGITUDE = "messenger_c.location.longitude", Error, "inferred", "the longitude is missing or outside -180 to 180";
    FAILOVER_TIMEOUT_SECONDS = "failover.timeout.seconds", Error, "spec D5", "the timeout is a whole number of seconds above 0";
}
