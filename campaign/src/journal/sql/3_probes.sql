-- Version 3: probes while an outage is open, and the reason of the last bad result.

ALTER TABLE campaigns ADD COLUMN outage_phase TEXT NOT NULL DEFAULT 'closed';
ALTER TABLE campaigns ADD COLUMN outage_probe_chunk BIGINT;
ALTER TABLE campaigns ADD COLUMN outage_probe_sequence BIGINT;
ALTER TABLE campaigns ADD COLUMN outage_accepted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN outage_reason TEXT;
