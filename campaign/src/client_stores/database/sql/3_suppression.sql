-- Version 3: how many numbers the store has after each change, so that a file and a log that do not belong together are noticed.

ALTER TABLE suppression_changes ADD COLUMN total BIGINT;
UPDATE suppression_changes SET total = (SELECT COUNT(*) FROM suppressed_number)
    WHERE number = (SELECT MAX(number) FROM suppression_changes);
