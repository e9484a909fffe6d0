-- Memory of a server process, in a database with the extension. Prints the growth of its peak by the requests that need the most memory. Then
-- the step `postgres_memory` of tests/suites/databases limits the memory of the process several times, and calls `try`.
CREATE TABLE largest AS
SELECT operation, head || (SELECT string_agg(replace(item, '%', to_hex(n)), ',') FROM generate_series(1, items) AS n) || tail AS request
FROM (VALUES
    ('sms.send', '{', '"%":1', '}', 25000),
    ('otp.send', '{"limits":{', '"%":1', '}}', 25000),
    ('messages.send_bulk', '{"destinations":[', '1', ']}', 131000),
    ('messages.send_bulk', '{"destinations":[', '""', ']}', 87000),
    ('messages.send_bulk', '{"destinations":[', '"%"', ']}', 32000),
    ('sms.send_bulk', '{"to":"', 'x', '"}', 131000),
    ('otp.limits.create', '{"buckets":[', '{}', ']}', 87000),
    ('messages.send', '{"business_chat":{"carouselCard":{"cardContents":[', '{"x":1}', ']}}}', 32000)) AS t (operation, head, item, tail, items);
CREATE FUNCTION status(name text) RETURNS bigint LANGUAGE sql
    AS $$ SELECT (regexp_match(pg_read_file('/proc/self/status'), name || ':\s+(\d+)'))[1]::bigint * 1024 $$;
CREATE PROCEDURE try(name text) LANGUAGE plpgsql AS $$
DECLARE
    one record;
    problems bigint;
    results integer := 0;
    errors integer := 0;
BEGIN
    FOR one IN SELECT * FROM largest LOOP
        BEGIN
            PERFORM cpaas_valid(one.operation, one.request);
            EXECUTE 'SELECT count(*) FROM cpaas_problems($1, $2)' INTO problems USING one.operation, one.request;
            results := results + (problems > 0)::integer;
        EXCEPTION WHEN out_of_memory THEN
            errors := errors + 1;
        END;
    END LOOP;
    RAISE NOTICE '%: % results, % out of memory', name, results, errors;
END $$;
SELECT count(*) > 0 AND cpaas_valid('sms.send', '{}') FROM largest, cpaas_problems('sms.send', '{}');
SELECT pg_backend_pid() AS process \gset
\setenv PROCESS :process
COPY (SELECT '') TO PROGRAM 'cat >/dev/null; echo 5 >/proc/$PPID/clear_refs'; -- the peak begins anew; a program that leaves the row unread breaks the pipe
SELECT status('VmHWM') AS before \gset
CALL try('without a limit');
SELECT format('memory of the largest requests of 256 KiB: %s MB', (status('VmHWM') - :before) / 1048576), status('VmHWM') - :before < 50 * 1048576;
