-- Version 2: the limit of a country. It replaces the lock of a prefix by that of a country.

-- A transaction that admits a message locks the row of its country.
CREATE TABLE IF NOT EXISTS guard_countries (
    country BIGINT NOT NULL,
    is_passcode BIGINT NOT NULL,
    last_us BIGINT NOT NULL,
    PRIMARY KEY (country, is_passcode)
);

DROP TABLE IF EXISTS guard_prefixes;

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
