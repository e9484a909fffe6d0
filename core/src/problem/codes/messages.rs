//! Codes of the envelope of the messaging API (D1, D5, D6).

use crate::problem::code::codes;

codes! {
    MSG_TRAFFIC_ACCOUNT_ID_REQUIRED = "msg.traffic_account_id.required", Error, "spec D1", "the traffic account is missing";
    MSG_TRAFFIC_ACCOUNT_ID_NOT_UUID = "msg.traffic_account_id.not_uuid", Error, "spec D1", "the traffic account is a UUID: hexadecimal digits in groups of 8-4-4-4-12";
    MSG_DESTINATION_REQUIRED = "msg.destination.required", Error, "spec D1", "the destination is missing or blank";
    MSG_DESTINATION_NOT_PHONE = "msg.destination.not_phone", Warning, "field", "must be a phone number for this channel: 7 to 15 digits, after one plus sign or none";
    MSG_DESTINATION_NOT_NUMBER = "msg.destination.not_number", Error, "spec D1", "`sms` reaches phone numbers: must be digits, after one plus sign or none";
    MSG_CHANNEL_MISSING = "msg.channel.missing", Error, "spec D1", "the message has no channel object";
    MSG_CHANNEL_MULTIPLE = "msg.channel.multiple", Error, "spec D1", "more than one channel object without `failover`";
    MSG_CHANNEL_NOT_IN_BULK = "msg.channel.not_in_bulk", Warning, "spec D6", "the bulk operation does not list this channel";
    BULK_DESTINATIONS_EMPTY = "bulk.destinations.empty", Error, "spec D6", "there is no destination";
    BULK_DESTINATION_BLANK = "bulk.destination.blank", Error, "spec D6", "the destination is blank";
    BULK_DESTINATIONS_DUPLICATE = "bulk.destinations.duplicate", Warning, "spec B3/D6", "the same number stands here again: it receives one message for each occurrence";
    BULK_VERSION = "bulk.version", Error, "spec Versioning", "the bulk operation exists from version 1.1";
    FAILOVER_REQUIRED = "failover.required", Error, "spec D5", "the failover is missing";
    FAILOVER_TYPE_MISSING = "failover.type.missing", Warning, "spec D5", "the failover has no `type`; the specification shows `Timeout`";
    FAILOVER_TYPE_UNKNOWN = "failover.type.unknown", Warning, "spec D5", "the specification shows no failover of this type, only `Timeout`";
    FAILOVER_TIMEOUT_REQUIRED = "failover.timeout.required", Error, "spec D5", "a failover of type `Timeout` needs `timeoutFailover`";
    FAILOVER_TIMEOUT_SECONDS = "failover.timeout.seconds", Error, "spec D5", "the timeout is a whole number of seconds above 0";
    FAILOVER_TIMEOUT_STATUS = "failover.timeout.status", Warning, "spec D5", "the specification shows no failover on this status, only on `Delivered`";
    FAILOVER_TIMEOUT_ACCOUNTS = "failover.timeout.accounts", Error, "spec D5", "the traffic accounts are UUIDs, one for each channel";
    FAILOVER_CHANNELS_COUNT = "failover.channels.count", Warning, "inferred", "a failover wants two channel objects or more, and a traffic account for each";
    FAILOVER_TTL_OVER_TIMEOUT = "failover.ttl_over_timeout", Warning, "inferred", "the time to live outlasts the failover's timeout: the message can arrive on both channels";
    FAILOVER_MESSENGER_C_NEVER_DELIVERED = "failover.messenger_c.never_delivered", Warning, "spec Events", "messenger_c reports no delivery: a failover from it on `Delivered` always moves on";
}
