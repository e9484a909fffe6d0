-- Version 1: the messages that the guard counts, and the ids of accepted passcodes. Times are microseconds since 1970.

-- A transaction that admits a message locks the row of its country.
CREATE TABLE IF NOT EXISTS guard_countries (
    country BIGINT NOT NULL,
    is_passcode BIGINT NOT NULL,
    last_us BIGINT NOT NULL,
    PRIMARY KEY (country, is_passcode)
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

-- The messages of a country whose passcodes were not entered. Messages to one number at one time are one row.
CREATE TABLE IF NOT EXISTS guard_country_messages (
    country BIGINT NOT NULL,
    is_passcode BIGINT NOT NULL,
    number BIGINT NOT NULL,
    at_us BIGINT NOT NULL,
    messages BIGINT NOT NULL,
    PRIMARY KEY (country, is_passcode, number, at_us)
);

-- For the removal of old rows.
CREATE INDEX IF NOT EXISTS guard_country_messages_by_time ON guard_country_messages (at_us);

-- For the messages of a country within a window. It contains what this query needs.
CREATE INDEX IF NOT EXISTS guard_country_messages_by_country ON guard_country_messages (country, is_passcode, at_us, messages);

CREATE TABLE IF NOT EXISTS guard_passcodes (
    id TEXT PRIMARY KEY,
    prefix BIGINT NOT NULL,
    number BIGINT NOT NULL,
    at_us BIGINT NOT NULL
);

CREATE INDEX IF NOT EXISTS guard_passcodes_by_time ON guard_passcodes (at_us);
