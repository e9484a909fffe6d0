"""Writes the vectors of tests/vectors as SQL: tables, and queries that compare each vector with the result of the extension.

usage: vectors.py sqlite|postgres FOLDER

Each query prints a row: what is compared, the number of comparisons, the number of mismatches, and the ids of the mismatches."""

import json
import pathlib
import sys

dialect, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def literal(value):
    """Text by its bytes, so that no character has a meaning in SQL or for the program that reads the script."""
    if value is None:
        return "NULL"
    if isinstance(value, (bool, int)):
        return str(value).upper()
    octets = value.encode().hex()
    return f"CAST(x'{octets}' AS TEXT)" if dialect == "sqlite" else f"convert_from('\\x{octets}', 'UTF8')"


def cases(file):
    return json.loads(file.read_text(encoding="utf-8"))["cases"]


def expanded(value):
    """{"$text": ["a", ["b", 3]]} means "abbb", {"$list": [x, 3]} means [x, x, x]."""
    if isinstance(value, list):
        return [expanded(element) for element in value]
    if not isinstance(value, dict):
        return value
    if "$text" in value:
        return "".join(unit if isinstance(unit, str) else unit[0] * unit[1] for unit in value["$text"])
    if "$list" in value:
        element, count = value["$list"]
        return [expanded(element)] * count
    return {name: expanded(member) for name, member in value.items()}


def storable(text):
    """Postgres stores no NUL."""
    return dialect == "sqlite" or "\0" not in text


def insert(table, rows):
    for row in rows:
        print(f"INSERT INTO {table} VALUES ({', '.join(map(literal, row))});")


requests, problems, skipped = [], [], 0
for file in sorted((folder / "problems").glob("*.json")):
    for case in cases(file):
        if "operation" not in case:
            continue  # cpaas_check, which is not a function of the extension
        text = case["text"] if "text" in case else json.dumps(expanded(case["request"]), ensure_ascii=False, allow_nan=False)
        if not storable(text):
            skipped += 1
            continue
        report = case.get("report")
        expected = case["expect"] if "expect" in case else [*json.loads(report)["errors"], *json.loads(report)["warnings"]]
        valid = all(problem["severity"] != "error" for problem in expected)
        number = len(requests)
        requests.append((number, case["id"], case["operation"], text, valid, report))
        for position, problem in enumerate(expected, 1):
            problems.append((number, position, problem["pointer"], problem["code"], problem["severity"]))

texts = []
for name in ("segments.json", "segments_more.json"):
    for case in cases(folder / name):
        if "options" in case or "price" in case or "segments" not in case:
            continue
        if not storable(case["text"]):
            skipped += 1
            continue
        texts.append((case["id"], case["text"], case["segments"], case["encoding"]))

numbers = []
for case in cases(folder / "numbers.json"):
    if not storable(case["number"]):
        skipped += 1
        continue
    numbers.append((case["number"], case.get("region"), case.get("form"), case.get("reason")))

print("BEGIN;")
print("CREATE TABLE requests(number INTEGER, id TEXT, operation TEXT, request TEXT, valid BOOLEAN, report TEXT);")
print("CREATE TABLE problems(number INTEGER, position INTEGER, pointer TEXT, code TEXT, severity TEXT);")
print("CREATE TABLE texts(id TEXT, body TEXT, segments INTEGER, encoding TEXT);")
print("CREATE TABLE numbers(number TEXT, region TEXT, form TEXT, reason TEXT);")
insert("requests", requests)
insert("problems", problems)
insert("texts", texts)
insert("numbers", numbers)
print("COMMIT;")

sqlite = dialect == "sqlite"
ids = "group_concat(id)" if sqlite else "string_agg(id, ',')"
problem_rows = (
    "cpaas_problems(r.operation, r.request) AS p"
    if sqlite
    else ("LATERAL cpaas_problems(r.operation, r.request) WITH ORDINALITY AS p(pointer, code, severity, message, rowid)")
)
print(
    f"""
CREATE VIEW found AS SELECT r.number, p.rowid AS position, p.pointer, p.code, p.severity FROM requests AS r CROSS JOIN {problem_rows};
CREATE VIEW differences AS
    SELECT * FROM (SELECT * FROM found EXCEPT SELECT * FROM problems) AS unexpected
    UNION ALL SELECT * FROM (SELECT * FROM problems EXCEPT SELECT * FROM found) AS missing;
SELECT 'valid', {len(requests)}, count(*), {ids} FROM requests WHERE cpaas_valid(operation, request) IS DISTINCT FROM valid;
SELECT 'problems', {len(problems)}, count(*), {ids} FROM differences JOIN requests USING (number);
SELECT 'reports', {sum(row[5] is not None for row in requests)}, count(*), {ids} FROM requests
    WHERE report IS NOT NULL AND CAST(cpaas_report(operation, request) AS TEXT) IS DISTINCT FROM report;
SELECT 'segments', {2 * len(texts)}, count(*), {ids} FROM texts WHERE sms_segments(body) IS DISTINCT FROM segments
    OR sms_encoding(body) IS DISTINCT FROM encoding;
SELECT 'numbers', {sum(row[1] is None and row[2] is not None for row in numbers)}, count(*), max(number) FROM numbers
    WHERE region IS NULL AND form IS NOT NULL AND normalize_number(number) IS DISTINCT FROM form;
SELECT 'not storable', {skipped}, 0, NULL;"""
)

# A table accepts the valid requests and refuses the others, as the browser does.
for name, check, condition in (
    ("checked", "cpaas_valid(operation, request)", "TRUE"),
    ("checked_sms", "cpaas_valid('sms.send', request)", "operation = 'sms.send'"),
):
    print(f"CREATE TABLE {name}(number INTEGER, operation TEXT, request TEXT, CHECK ({check}));")
    rows = f"SELECT number, operation, request FROM requests WHERE {condition}"
    if sqlite:
        print(f"INSERT OR IGNORE INTO {name} {rows};")
    else:
        print(f"""DO $$ DECLARE r record; BEGIN
    FOR r IN {rows} LOOP
        BEGIN
            INSERT INTO {name} VALUES (r.number, r.operation, r.request);
        EXCEPTION WHEN check_violation THEN NULL;
        END;
    END LOOP;
END $$;""")
    print(
        f"SELECT 'table {name}', count(*), coalesce(sum(CASE WHEN valid <> accepted THEN 1 ELSE 0 END), 0), NULL\n"
        f"    FROM (SELECT r.valid, EXISTS (SELECT 1 FROM {name} AS c WHERE c.number = r.number) AS accepted FROM requests AS r\n"
        f"        WHERE {condition}) AS compared;"
    )
