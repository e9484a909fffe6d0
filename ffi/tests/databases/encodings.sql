-- In a database with another encoding (psql variable `encoding`): SQL_ASCII, which stores any bytes, or LATIN1.
CREATE TABLE results (query text, expected text, found text);
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
SELECT :'encoding' = 'LATIN1' AS latin \gset
\if :latin
CALL expect($$SELECT sms_encoding(convert_from('\xe9', 'LATIN1'))$$, 'gsm7');
CALL expect($$SELECT sms_segments(repeat(convert_from('\xe7', 'LATIN1'), 71))$$, '2');
CALL expect($$SELECT pointer = '/' || chr(233) FROM cpaas_problems('sms.send', '{"' || chr(233) || '": 1}') WHERE severity = 'warning'$$, 'true');
CALL expect($$SELECT cpaas_valid('sms.send', '{"\u65e5": 1}')$$, 'false');
-- The report has a character that the encoding lacks. Its copy fails, and the text of the library is freed.
CALL expect($$SELECT cpaas_report('sms.send', '{"\u65e5": 1}')$$,
    '22P05: character with byte sequence 0xe6 0x97 0xa5 in encoding "UTF8" has no equivalent in encoding "LATIN1"');
CREATE PROCEDURE fail(times integer) LANGUAGE plpgsql AS $$
BEGIN
    FOR n IN 1..times LOOP
        PERFORM result_of('SELECT cpaas_report(''messages.send_bulk'', ''{"\u65e5": 1, "destinations": [' || repeat('1, ', 200) || '1]}'')');
    END LOOP;
END $$;
CREATE FUNCTION resident() RETURNS bigint LANGUAGE sql AS $$ SELECT split_part(pg_read_file('/proc/self/statm'), ' ', 2)::bigint * 4096 $$;
CALL fail(100);
SELECT resident() AS resident \gset
CALL fail(500);
INSERT INTO results VALUES ('resident memory', 'true', (resident() - :resident < 2097152)::text);
\else
CALL expect($$SELECT sms_encoding(E'\xe6\x97\xa5')$$, 'ucs2');
CALL expect($$SELECT sms_segments(E'a\xff')$$, '22021: invalid byte sequence for encoding "UTF8": 0xff');
CALL expect($$SELECT sms_encoding(E'\xe6\x97')$$, '22021: invalid byte sequence for encoding "UTF8": 0xe6 0x97');
CALL expect($$SELECT cpaas_valid('sms.send', E'{"\xff": 1}')$$, '22021: invalid byte sequence for encoding "UTF8": 0xff');
CALL expect($$SELECT cpaas_valid(E'\xff', '{}')$$, '22021: invalid byte sequence for encoding "UTF8": 0xff');
CALL expect($$SELECT * FROM cpaas_problems('sms.send', E'{"\xff": 1}')$$, '22021: invalid byte sequence for encoding "UTF8": 0xff');
CALL expect($$SELECT normalize_number(E'\xff')$$, '22021: invalid byte sequence for encoding "UTF8": 0xff');
CALL expect($$SELECT normalize_number('+306912345678', E'\xff')$$, '22021: invalid byte sequence for encoding "UTF8": 0xff');
CALL expect($$SELECT pointer FROM cpaas_problems('sms.send', E'{"\xc3\xa9": 1}') WHERE severity = 'warning'$$, E'/\xc3\xa9');
CALL expect($$SELECT sms_segments(repeat('a', 100000000) || E'\xff')$$, '22021: invalid byte sequence for encoding "UTF8": 0xff');
\endif
SELECT 'encoding ' || :'encoding', count(*), count(*) FILTER (WHERE found IS DISTINCT FROM expected),
    string_agg(format(E'\n%s: expected %s, got %s', query, expected, found), '') FILTER (WHERE found IS DISTINCT FROM expected) FROM results;
