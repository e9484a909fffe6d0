//! Codes of the envelope of the messaging API (D1, D5, D6).

use crate::problem::code::codes;

codes! {
    MSG_TRAFFIC_ACCOUNT_ID_REQUIRED = "msg.traffic_account_id.required", Error, "spec D1", "must not be missing";
    MSG_TRAFFIC_ACCOUNT_ID_NOT_UUID = "msg.traffic_account_id.not_uuid", Error, "spec D1", "must be a UUID: hexadecimal digits in groups of 8-4-4-4-12";
    MSG_DESTINATION_REQUIRED = "msg.destination.required", Error, "spec D1", "must not be missing or blank";
    MSG_DESTINATION_NOT_PHONE = "msg.destination.not_phone", Warning, "field", "should be a phone number for this channel: 7 to 15 digits, optionally after a plus sign";
    MSG_DESTINATION_NOT_NUMBER = "msg.destination.not_number", Error, "spec D1", "must be a phone number for `sms`: digits, optionally after a plus sign";
    MSG_CHANNEL_MISSING = "msg.channel.missing", Error, "spec D1", "the message must have a channel object";
    MSG_CHANNEL_MULTIPLE = "msg.channel.multiple", Error, "spec D1", "a message without `failover` must have one channel object";
    MSG_CHANNEL_NOT_IN_BULK = "msg.channel.not_in_bulk", Warning, "spec D6", "the bulk operation does not document this channel";
    BULK_DESTINATIONS_EMPTY = "bulk.destinations.empty", Error, "spec D6", "must contain at least one destination";
    BULK_DESTINATION_BLANK = "bulk.destination.blank", Error, "spec D6", "must not be blank";
    BULK_DESTINATIONS_DUPLICATE = "bulk.destinations.duplicate", Warning, "spec B3/D6", "duplicate number: it receives one message for each occurrence";
    BULK_VERSION = "bulk.version", Error, "spec Versioning", "must be 1.1 or later: the bulk operation exists since version 1.1";
    FAILOVER_REQUIRED = "failover.required", Error, "spec D5", "must not be missing";
    FAILOVER_TYPE_MISSING = "failover.type.missing", Warning, "spec D5", "the failover has no `type`; documented value: `Timeout`";
    FAILOVER_TYPE_UNKNOWN = "failover.type.unknown", Warning, "spec D5", "unknown failover type";
    FAILOVER_TIMEOUT_REQUIRED = "failover.timeout.required", Error, "spec D5", "must not be missing when the type is `Timeout`";
    FAILOVER_TIMEOUT_SECONDS = "failover.timeout.seconds", Error, "spec D5", "must be a positive integer number of seconds";
    FAILOVER_TIMEOUT_STATUS = "failover.timeout.status", Warning, "spec D5", "unknown failover status";
    FAILOVER_TIMEOUT_ACCOUNTS = "failover.timeout.accounts", Error, "spec D5", "must contain one UUID for each channel";
    FAILOVER_CHANNELS_COUNT = "failover.channels.count", Warning, "inferred", "a failover should have at least two channel objects, and a traffic account for each";
    FAILOVER_TTL_OVER_TIMEOUT = "failover.ttl_over_timeout", Warning, "inferred", "the time to live should not exceed the timeout of the failover, or the message can arrive on both channels";
    FAILOVER_MESSENGER_C_NEVER_DELIVERED = "failover.messenger_c.never_delivered", Warning, "spec Events", "messenger_c does not report `Delivered`: a failover that waits for it always moves to the next channel";
}
