-- Version 2: the state of an outage for all workers of a campaign, columns of the source that a campaign keeps, and owners from before
-- the journal was restored.

ALTER TABLE campaigns ADD COLUMN outage_score BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN outage_openings BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN outage_probes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN outage_until_us BIGINT NOT NULL DEFAULT 0;
ALTER TABLE chunks ADD COLUMN kept BYTES;
ALTER TABLE owners ADD COLUMN is_restored BIGINT NOT NULL DEFAULT 0;
