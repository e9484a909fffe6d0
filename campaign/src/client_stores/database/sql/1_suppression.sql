-- Version 1: the numbers that get no SMS, in their canonical form.

CREATE TABLE IF NOT EXISTS suppressed_number (number TEXT PRIMARY KEY);
