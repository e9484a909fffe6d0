-- Version 1: the numbers that get no SMS, in their canonical form.

CREATE TABLE suppressed_number (number TEXT PRIMARY KEY);
