-- Version 2: the state of an outage for all workers of a campaign, columns of the source that a campaign keeps, owners from before
-- the journal was restored, the right of this copy of the journal to a campaign, the permitted rows of each chunk, counted beside its permits, so that older rows of some tables differ,
-- and what finds the passcodes of a recipient or an id among all keys.

ALTER TABLE campaigns ADD COLUMN outage_phase TEXT NOT NULL DEFAULT 'closed';
ALTER TABLE campaigns ADD COLUMN outage_score BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN outage_openings BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN outage_probes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN outage_until_us BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN outage_probe_chunk BIGINT;
ALTER TABLE campaigns ADD COLUMN outage_probe_sequence BIGINT;
ALTER TABLE campaigns ADD COLUMN outage_accepted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN outage_reason TEXT;
ALTER TABLE campaigns ADD COLUMN fence TEXT;
ALTER TABLE chunks ADD COLUMN kept BYTES;
ALTER TABLE chunks ADD COLUMN recipient TEXT;
ALTER TABLE owners ADD COLUMN is_restored BIGINT NOT NULL DEFAULT 0;

CREATE TABLE attempts (
    campaign TEXT NOT NULL,
    chunk BIGINT NOT NULL,
    n_attempts BIGINT NOT NULL,
    PRIMARY KEY (campaign, chunk)
);

CREATE INDEX chunks_recipient ON chunks (recipient) WHERE recipient IS NOT NULL;
CREATE INDEX outcomes_passcode ON outcomes (message_id) WHERE substr(message_id, 1, 3) = 'OTP';
