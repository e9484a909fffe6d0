-- Version 1: the messages that the guard counts, and the ids of accepted passcodes. Times are microseconds since 1970.

-- A transaction that admits a message locks the row of its prefix.
CREATE TABLE IF NOT EXISTS guard_prefixes (
    prefix BIGINT NOT NULL,
    is_passcode BIGINT NOT NULL,
    last_us BIGINT NOT NULL,
    PRIMARY KEY (prefix, is_passcode)
);

-- Messages to one number at one time are one row.
CREATE TABLE IF NOT EXISTS guard_messages (
    prefix BIGINT NOT NULL,
    is_passcode BIGINT NOT NULL,
    number BIGINT NOT NULL,
    at_us BIGINT NOT NULL,
    messages BIGINT NOT NULL,
    is_entered BIGINT NOT NULL,
    PRIMARY KEY (prefix, is_passcode, number, at_us)
);

-- For the removal of old rows.
CREATE INDEX IF NOT EXISTS guard_messages_by_time ON guard_messages (at_us);

-- For the messages of a prefix within a window. It contains what these queries need.
CREATE INDEX IF NOT EXISTS guard_messages_by_prefix ON guard_messages (prefix, is_passcode, is_entered, at_us, messages);

CREATE TABLE IF NOT EXISTS guard_passcodes (
    id TEXT PRIMARY KEY,
    prefix BIGINT NOT NULL,
    number BIGINT NOT NULL,
    at_us BIGINT NOT NULL
);

CREATE INDEX IF NOT EXISTS guard_passcodes_by_time ON guard_passcodes (at_us);
