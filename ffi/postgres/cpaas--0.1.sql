\echo Use "CREATE EXTENSION cpaas" to load this file. \quit

-- docs/databases.md describes the functions. They return NULL for NULL; cpaas_problems returns no row then.

CREATE FUNCTION sms_segments("text" text) RETURNS integer
    AS 'MODULE_PATHNAME', 'pg_sms_segments' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION sms_segments(text) IS 'the number of SMS parts of a text';

CREATE FUNCTION sms_encoding("text" text) RETURNS text
    AS 'MODULE_PATHNAME', 'pg_sms_encoding' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION sms_encoding(text) IS 'the encoding of a text as an SMS: gsm7 or ucs2';

CREATE FUNCTION cpaas_valid(operation text, request text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pg_cpaas_valid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION cpaas_valid(operation text, request json) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pg_cpaas_valid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION cpaas_valid(operation text, request jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
    RETURN cpaas_valid(operation, CAST(request AS text));
COMMENT ON FUNCTION cpaas_valid(text, text) IS 'whether a request of an operation has no error';
COMMENT ON FUNCTION cpaas_valid(text, json) IS 'whether a request of an operation has no error';
COMMENT ON FUNCTION cpaas_valid(text, jsonb) IS 'whether a request of an operation has no error';

CREATE FUNCTION cpaas_report(operation text, request text) RETURNS json
    AS 'MODULE_PATHNAME', 'pg_cpaas_report' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION cpaas_report(operation text, request json) RETURNS json
    AS 'MODULE_PATHNAME', 'pg_cpaas_report' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION cpaas_report(operation text, request jsonb) RETURNS json
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
    RETURN cpaas_report(operation, CAST(request AS text));
COMMENT ON FUNCTION cpaas_report(text, text) IS 'the problems of a request as JSON, as in every language';
COMMENT ON FUNCTION cpaas_report(text, json) IS 'the problems of a request as JSON, as in every language';
COMMENT ON FUNCTION cpaas_report(text, jsonb) IS 'the problems of a request as JSON, as in every language';

-- Not strict, so that the planner can insert them into a query. cpaas_report is strict.
CREATE FUNCTION cpaas_problems(operation text, request text)
    RETURNS TABLE (pointer text, code text, severity text, message text)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 200 ROWS 4
    BEGIN ATOMIC
        SELECT p.pointer, p.code, p.severity, p.message
        FROM cpaas_report(operation, request) AS report,
            LATERAL (
                SELECT * FROM json_to_recordset(report -> 'errors') AS e (pointer text, code text, severity text, message text)
                UNION ALL
                SELECT * FROM json_to_recordset(report -> 'warnings') AS w (pointer text, code text, severity text, message text)
                UNION ALL
                SELECT '', 'report.more', CASE WHEN json_array_length(report -> 'errors') < 1000 THEN 'warning' ELSE 'error' END,
                    (report ->> 'more') || ' more problems: only 1,000 are listed'
                WHERE report -> 'more' IS NOT NULL
            ) AS p;
    END;
CREATE FUNCTION cpaas_problems(operation text, request json)
    RETURNS TABLE (pointer text, code text, severity text, message text)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 200 ROWS 4
    BEGIN ATOMIC
        SELECT p.pointer, p.code, p.severity, p.message FROM cpaas_problems(operation, CAST(request AS text)) AS p;
    END;
CREATE FUNCTION cpaas_problems(operation text, request jsonb)
    RETURNS TABLE (pointer text, code text, severity text, message text)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 200 ROWS 4
    BEGIN ATOMIC
        SELECT p.pointer, p.code, p.severity, p.message FROM cpaas_problems(operation, CAST(request AS text)) AS p;
    END;
COMMENT ON FUNCTION cpaas_problems(text, text) IS 'the problems of a request as rows: errors, then warnings';
COMMENT ON FUNCTION cpaas_problems(text, json) IS 'the problems of a request as rows: errors, then warnings';
COMMENT ON FUNCTION cpaas_problems(text, jsonb) IS 'the problems of a request as rows: errors, then warnings';

CREATE FUNCTION normalize_number(number text) RETURNS text
    AS 'MODULE_PATHNAME', 'pg_normalize_number' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION normalize_number(number text, region text) RETURNS text
    AS 'MODULE_PATHNAME', 'pg_normalize_number' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION normalize_number(text) IS 'a phone number in the form that is sent';
COMMENT ON FUNCTION normalize_number(text, text) IS 'a phone number, maybe in the national format of a region, in the form that is sent';
