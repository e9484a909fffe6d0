-- Tests of the Postgres extension in a database with UTF8. Each query of the last part prints a row: what is compared, the number of
-- comparisons, the number of mismatches, and the mismatches. The variable `calls` is the number of calls between two measurements of memory.
\set valid '''{"from": "Acme", "to": "306912345678", "text": "Hi"}'''
CREATE TABLE results (query text, expected text, found text);
-- The first column of the first row of a query, or its SQLSTATE and message.
CREATE FUNCTION result_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    EXECUTE query INTO found;
    RETURN coalesce(found, 'NULL');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ': ' || SQLERRM;
END $$;
CREATE PROCEDURE expect(query text, expected text) LANGUAGE sql AS $$ INSERT INTO results VALUES (query, expected, result_of(query)) $$;

-- Arguments.
CALL expect($$SELECT sms_segments('')$$, '1');
CALL expect($$SELECT sms_segments(NULL)$$, 'NULL');
CALL expect($$SELECT sms_encoding(NULL)$$, 'NULL');
CALL expect($$SELECT sms_encoding(U&'\20AC')$$, 'gsm7');
CALL expect($$SELECT sms_encoding(U&'\65E5')$$, 'ucs2');
CALL expect($$SELECT cpaas_valid(NULL, '{}')$$, 'NULL');
CALL expect($$SELECT cpaas_valid('sms.send', NULL::text)$$, 'NULL');
CALL expect($$SELECT cpaas_valid('sms.send', NULL::jsonb)$$, 'NULL');
CALL expect($$SELECT cpaas_report('sms.send', NULL::json)$$, 'NULL');
CALL expect($$SELECT count(*) FROM cpaas_problems('sms.send', NULL::text)$$, '0');
CALL expect($$SELECT count(*) FROM cpaas_problems(NULL, '{}')$$, '0');
CALL expect($$SELECT count(*) FROM cpaas_problems('sms.send', '{}')$$, '3');
CALL expect($$SELECT count(*) FROM cpaas_problems('sms.send', '{}'::json)$$, '3');
CALL expect($$SELECT count(*) FROM cpaas_problems('sms.send', '{}'::jsonb)$$, '3');
CALL expect($$SELECT normalize_number(NULL)$$, 'NULL');
CALL expect($$SELECT normalize_number('+30 691 234 5678', NULL)$$, 'NULL');
CALL expect($$SELECT cpaas_valid('sms.send', '')$$, 'false');
CALL expect($$SELECT cpaas_valid('sms.send', '{"a": 1, "a": 1}'::json) = cpaas_valid('sms.send', '{"a": 1}'::jsonb)$$, 'true');
CALL expect($$SELECT pointer FROM cpaas_problems('sms.send', '{"a\u0000b": 1}') WHERE severity = 'warning'$$, U&'/a\FFFDb');
CALL expect($$SELECT pointer FROM cpaas_problems('sms.send', '{"a\\u0000b": 1}') WHERE severity = 'warning'$$, '/a\u0000b');
CALL expect($$SELECT string_agg(t.n || coalesce(p.code, '-'), ',') FROM (VALUES (1, 'sms.send', '{"to": "306912345678", "text": "a"}'), (2, NULL, '{}'))
    AS t (n, operation, request) LEFT JOIN LATERAL cpaas_problems(t.operation, t.request) AS p ON TRUE$$, '1sms.from.required,2-');
CALL expect($$SELECT json_array_length(cpaas_report('sms.send', '[]'::jsonb) -> 'errors')$$, '1');

-- A report lists 1,000 problems; the last row of cpaas_problems is the number of the others.
CALL expect($$SELECT string_agg(format('%s %s %s %s %s', at, pointer, code, severity, message), '; ')
    FROM cpaas_problems('messages.send_bulk', '{"destinations": [1' || repeat(',1', 1499) || ']}') WITH ORDINALITY AS p (pointer, code, severity, message, at)
    WHERE at > 999$$,
    '1000 /destinations/999 msg.field.type error expected a string, got an integer; 1001  report.more error 500 more problems: only 1,000 are listed');
CALL expect($$SELECT cpaas_report('messages.send_bulk', '{"destinations": [1' || repeat(',1', 1499) || ']}') ->> 'more'$$, '500');
CALL expect($$SELECT cpaas_valid('messages.send_bulk', '{"destinations": [1' || repeat(',1', 1499) || ']}')$$, 'false');
CALL expect($$SELECT format('%s %s', count(*), string_agg(severity || ' ' || message, '') FILTER (WHERE code = 'report.more'))
    FROM cpaas_problems('sms.send', (SELECT '{"from": "Acme", "to": "306912345678", "text": "Hi"' || string_agg(format(',"a%s":1,"a%s":1', n, n), '') || '}'
    FROM generate_series(1, 1500) AS n))$$, '1001 warning 601 more problems: only 1,000 are listed');

-- Errors.
CALL expect($$SELECT cpaas_valid('sms.sent', '{}')$$,
    '22023: cpaas_valid: `operation` must be the id of an operation, as cpaas_operations lists them');
CALL expect($$SELECT cpaas_report('', '{}'::jsonb)$$,
    '22023: cpaas_report: `operation` must be the id of an operation, as cpaas_operations lists them');
CALL expect($$SELECT * FROM cpaas_problems('x', '{}')$$,
    '22023: cpaas_report: `operation` must be the id of an operation, as cpaas_operations lists them');
CALL expect($$SELECT normalize_number('+30 12a')$$,
    '22P02: normalize_number: `number`: must contain digits and separators only, after a plus sign or 00 (character)');
CALL expect($$SELECT left(result_of('SELECT normalize_number(''6912345678'', ''GR'')'), 7)$$, '0A000: ');
CALL expect($$SELECT convert_from('\xff', 'UTF8')$$, '22021: invalid byte sequence for encoding "UTF8": 0xff');
CALL expect($$SELECT cpaas_valid('sms.send', '{' || repeat(' ', 262142) || '}')$$, 'false');
CALL expect($$SELECT cpaas_valid('sms.send', '{' || repeat(' ', 262143) || '}')$$,
    '54000: cpaas_valid: `request` must have at most 256 KiB (262,144 bytes), got 262145 bytes');

-- 100 MB: 153 characters in a part.
CALL expect($$SELECT sms_segments(repeat('a', 100000000))$$, '653595');
CALL expect($$SELECT sms_encoding(repeat('a', 100000000) || U&'\65E5')$$, 'ucs2');
CALL expect($$SELECT cpaas_valid('sms.send', repeat('a', 100000000))$$,
    '54000: cpaas_valid: `request` must have at most 256 KiB (262,144 bytes), got 100000000 bytes');
CALL expect($$SELECT * FROM cpaas_problems('sms.send', repeat('a', 100000000))$$,
    '54000: cpaas_report: `request` must have at most 256 KiB (262,144 bytes), got 100000000 bytes');
CALL expect($$SELECT left(result_of('SELECT normalize_number(repeat(''1'', 100000000))'), 26)$$, '22P02: normalize_number: `');
-- A compressed value of a table, which is measured before it is decompressed.
CREATE TABLE large (body text);
INSERT INTO large VALUES (repeat('a', 100000000));
CALL expect($$SELECT sms_segments(body) FROM large$$, '653595');
CALL expect($$SELECT cpaas_valid('sms.send', body) FROM large$$,
    '54000: cpaas_valid: `request` must have at most 256 KiB (262,144 bytes), got 100000000 bytes');

-- Tables: CHECK, NOT NULL, a generated column, an index on an expression, a partial index.
CREATE TABLE messages (
    number integer PRIMARY KEY,
    payload jsonb NOT NULL CHECK (cpaas_valid('sms.send', payload)),
    body text GENERATED ALWAYS AS (payload ->> 'text') STORED,
    parts integer GENERATED ALWAYS AS (sms_segments(payload ->> 'text')) STORED
);
INSERT INTO messages SELECT n, jsonb_build_object('from', 'Acme', 'to', (306900000000 + n)::text, 'text', repeat('a', n % 400 + 1))
    FROM generate_series(1, 4000) AS n;
CREATE INDEX by_parts ON messages (sms_segments(body));
CREATE INDEX long_texts ON messages (number) WHERE sms_segments(body) > 2;
ANALYZE messages;
CALL expect($$SELECT array_agg(DISTINCT parts ORDER BY parts) FROM messages$$, '{1,2,3}');
CALL expect($$SELECT count(*) FROM messages WHERE sms_segments(body) = 3$$, '940');
CALL expect($$INSERT INTO messages VALUES (0, '{}')$$,
    '23514: new row for relation "messages" violates check constraint "messages_payload_check"');
CALL expect($$INSERT INTO messages VALUES (0, NULL)$$,
    '23502: null value in column "payload" of relation "messages" violates not-null constraint');
CALL expect($$UPDATE messages SET payload = payload - 'to' WHERE number = 1$$,
    '23514: new row for relation "messages" violates check constraint "messages_payload_check"');
CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    plan text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP plan := plan || line || E'\n'; END LOOP;
    RETURN plan;
END $$;
SET enable_seqscan = off;
CALL expect($$SELECT plan_of('SELECT number FROM messages WHERE sms_segments(body) = 1') ~ 'by_parts'$$, 'true');
CALL expect($$SELECT plan_of('SELECT number FROM messages WHERE sms_segments(body) > 2 ORDER BY number') ~ 'long_texts'$$, 'true');
RESET enable_seqscan;
CALL expect($$SELECT plan_of('SELECT p.* FROM messages AS m, cpaas_problems(''sms.send'', m.payload) AS p') !~ 'Function Scan on cpaas_problems'$$, 'true');
CALL expect($$DROP EXTENSION cpaas$$, '2BP01: cannot drop extension cpaas because other objects depend on it');

-- Parallel workers have the same results.
CREATE TABLE payloads AS SELECT n, CASE WHEN n % 5 = 0 THEN '{}' ELSE
    format('{"from": "Acme", "to": "3069%s", "text": "Hi %s"}', lpad(n::text, 8, '0'), n) END AS request FROM generate_series(1, 20000) AS n;
ANALYZE payloads;
CALL expect($$SELECT count(*) FROM payloads WHERE NOT cpaas_valid('sms.send', request)$$, '4000');
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 4;
CALL expect($$SELECT plan_of('SELECT count(*) FROM payloads WHERE NOT cpaas_valid(''sms.send'', request)') ~ 'Workers Launched: [1-9]'$$, 'true');
CALL expect($$SELECT count(*) FROM payloads WHERE NOT cpaas_valid('sms.send', request)$$, '4000');
CALL expect($$SELECT plan_of('SELECT sum(sms_segments(request)), min(sms_encoding(request)), count(p.code) FROM payloads
    LEFT JOIN LATERAL cpaas_problems(''sms.send'', request) AS p ON TRUE') ~ 'Workers Launched: [1-9]'$$, 'true');
CALL expect($$SELECT count(p.code) FROM payloads LEFT JOIN LATERAL cpaas_problems('sms.send', request) AS p ON TRUE$$, '12000');
-- An error of a worker ends the query.
CALL expect($$SELECT count(*) FROM payloads WHERE cpaas_valid(CASE n WHEN 19999 THEN 'x' ELSE 'sms.send' END, request)$$,
    '22023: cpaas_valid: `operation` must be the id of an operation, as cpaas_operations lists them');
RESET ALL;
CALL expect($$SELECT string_agg(DISTINCT provolatile::text || proparallel::text, ',') FROM pg_proc
    WHERE oid IN (SELECT objid FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'cpaas'))$$,
    'is');

-- A role without privileges may use the functions, and another search_path does not change what they call.
CREATE ROLE reader;
CREATE SCHEMA other;
CREATE FUNCTION other.cpaas_report(text, text) RETURNS json LANGUAGE sql AS 'SELECT NULL::json';
GRANT USAGE ON SCHEMA other TO reader;
SET ROLE reader;
SET search_path = other, public;
SELECT count(*) AS problems FROM public.cpaas_problems('sms.send', '{}') \gset
RESET ROLE;
RESET search_path;
INSERT INTO results VALUES ('search_path', '3', :'problems');

-- Memory stays flat over calls, rows, copies and errors.
CREATE PROCEDURE work(calls integer) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sum(sms_segments('Hi ' || n)) + sum(length(sms_encoding('Hi ' || n))) FROM generate_series(1, calls) AS n;
    PERFORM count(p.code) FROM generate_series(1, calls / 16) AS n, cpaas_problems('sms.send', '{"a": 1}' || n) AS p;
    PERFORM sum(length(normalize_number('+30 6912345678'))) FROM generate_series(1, calls / 10) AS n;
    PERFORM count(*) FROM generate_series(1, calls / 25) AS n
        WHERE cpaas_valid('messages.send_bulk', '{"destinations": [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]}' || repeat(' ', n % 2));
    FOR n IN 1..calls / 100 LOOP
        PERFORM sms_segments(repeat('a', 100000)), cpaas_valid('sms.send', repeat('a', 100000));
    END LOOP;
    FOR n IN 1..calls / 6 LOOP
        PERFORM result_of('SELECT normalize_number(''x'')'), result_of('SELECT cpaas_valid(''x'', ''{}'')');
    END LOOP;
END $$;
CREATE FUNCTION memory() RETURNS bigint LANGUAGE sql AS $$ SELECT sum(used_bytes) FROM pg_backend_memory_contexts $$;
CREATE FUNCTION resident() RETURNS bigint LANGUAGE sql AS $$ SELECT split_part(pg_read_file('/proc/self/statm'), ' ', 2)::bigint * 4096 $$;
CALL work(:calls);
CALL work(:calls);
SELECT memory() AS memory, resident() AS resident \gset
CALL work(:calls);
CALL work(:calls);
CALL work(:calls);
INSERT INTO results VALUES ('memory of the contexts', 'true', (memory() - :memory < 262144)::text),
    ('resident memory', 'true', (resident() - :resident < 2097152)::text);

-- Vectors in the other types. What is no JSON of Postgres is counted above only.
CREATE FUNCTION is_json(request text, type text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT %L::%s', request, type);
    RETURN TRUE;
EXCEPTION WHEN OTHERS THEN
    RETURN FALSE;
END $$;
SELECT 'valid, json', count(*), count(*) FILTER (WHERE cpaas_valid(operation, request::json) IS DISTINCT FROM valid), NULL
    FROM (SELECT * FROM requests WHERE is_json(request, 'json') OFFSET 0) AS readable;
-- jsonb loses fields that occur twice.
SELECT 'valid, jsonb', count(*), count(*) FILTER (WHERE cpaas_valid(operation, request::jsonb) IS DISTINCT FROM valid), NULL
    FROM (SELECT * FROM requests WHERE is_json(request, 'jsonb') AND number NOT IN (SELECT number FROM problems WHERE code = 'json.duplicate_member') OFFSET 0)
    AS readable;
CREATE FUNCTION number_or_code(number text, region text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN CASE WHEN region IS NULL THEN normalize_number(number) ELSE normalize_number(number, region) END;
EXCEPTION WHEN OTHERS THEN
    RETURN substring(SQLERRM FROM '\((\w+)\)$');
END $$;
-- This build has no numbering plans.
SELECT 'numbers and errors', count(*), count(*) FILTER (WHERE number_or_code(number, region) IS DISTINCT FROM
    CASE WHEN region IS NOT NULL THEN 'no_plans' ELSE coalesce(form, reason) END), NULL FROM numbers;
SELECT 'arguments, errors, tables, plans', count(*), count(*) FILTER (WHERE found IS DISTINCT FROM expected),
    string_agg(format(E'\n%s: expected %s, got %s', query, expected, found), '') FILTER (WHERE found IS DISTINCT FROM expected) FROM results;
