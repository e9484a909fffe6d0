-- Prints rows a second on one thread, for :rows rows of payloads.
CREATE TABLE speed AS SELECT n, format('{"from": "Acme", "to": "3069%s", "text": "Hi %s"}', lpad(n::text, 8, '0'), n) AS request
    FROM generate_series(1, :rows) AS n;
ANALYZE speed;
CREATE TABLE unchecked (request text);
CREATE TABLE checked_rows (request text CHECK (cpaas_valid('sms.send', request)));
CREATE FUNCTION speed_of(name text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    start timestamptz := clock_timestamp();
BEGIN
    EXECUTE query;
    RETURN format('Postgres, %s: %s rows a second', name,
        round((SELECT count(*) FROM speed) / extract(epoch FROM clock_timestamp() - start)));
END $$;
SET max_parallel_workers_per_gather = 0;
SELECT speed_of('sms_segments', 'SELECT sum(sms_segments(request)) FROM speed');
SELECT speed_of('cpaas_valid', 'SELECT count(*) FROM speed WHERE cpaas_valid(''sms.send'', request)');
SELECT speed_of('cpaas_problems', 'SELECT count(p.code) FROM speed, cpaas_problems(''sms.send'', request) AS p');
SELECT speed_of('normalize_number', 'SELECT max(normalize_number(''+30 69'' || (10000000 + n))) FROM speed');
SELECT speed_of('INSERT without CHECK', 'INSERT INTO unchecked SELECT request FROM speed');
SELECT speed_of('INSERT with CHECK', 'INSERT INTO checked_rows SELECT request FROM speed');
DROP TABLE speed, unchecked, checked_rows;
DROP FUNCTION speed_of;
