// Standard Schema v1 and Standard JSON Schema v1 (standardschema.dev).
import { NoJson, boolean, kind, options as known, string } from "./arguments.js";
import { withoutEmptyStrings, withoutUndocumented } from "./form-values.js";
import { validate } from "./validate.js";
import { nearest } from "./nearest.js";
import { OBJECTS, REQUESTS } from "./schemas.js";
import { TooLarge, isReady } from "./module-state.js";

const TARGETS = {
  "draft-2020-12": ["https://json-schema.org/draft/2020-12/schema", "$defs"],
  "draft-07": ["http://json-schema.org/draft-07/schema#", "definitions"],
  // In OpenAPI 3.0, the objects are components of the document. Here, `components` is a member of the schema.
  "openapi-3.0": [undefined, "components/schemas"],
};

/** Copies a schema with references that point into `place`; adds the referenced names to `names`. */
function resolved(schema, place, names) {
  if (Array.isArray(schema)) return schema.map((item) => resolved(item, place, names));
  if (schema === null || typeof schema !== "object") return schema;
  const isOpenApi = place.includes("/");
  if (isOpenApi && Array.isArray(schema.type)) return { anyOf: schema.type.map((type) => ({ type })) };
  const entries = Object.entries(schema).filter(([key, value]) => !isOpenApi || key !== "examples" || !Array.isArray(value)).map(([key, value]) => {
    if (key !== "$ref" || typeof value !== "string") return [key, resolved(value, place, names)];
    names.add(value);
    return [key, `#/${place}/${value}`];
  });
  return Object.fromEntries(entries);
}

function jsonSchema(operation, options) {
  const target = options?.target;
  const known = Object.hasOwn(TARGETS, target);
  if (!known) throw new Error(`schema: the target must be ${Object.keys(TARGETS).join(" or ")}`);
  const [dialect, place] = TARGETS[target];
  const names = new Set();
  const request = resolved(REQUESTS[operation], place, names);
  const objects = {};
  for (const name of names) objects[name] = resolved(OBJECTS[name], place, names);
  const [first, second] = place.split("/");
  return { ...(dialect && { $schema: dialect }), ...request, ...(names.size > 0 && { [first]: second ? { [second]: objects } : objects }) };
}

/** Form libraries expect a result, not an exception: values without a JSON form and requests that are too large become issues. */
function checked(operation, value) {
  try {
    return validate(operation, value);
  } catch (error) {
    const issue = (message) => ({ errors: [{ message, path: [], code: "json.syntax", severity: "error" }], warnings: [] });
    if (error instanceof NoJson) return issue(`the request ${error.rule}`);
    if (error instanceof TooLarge) return issue("the request is too large to check");
    throw error;
  }
}

/** The warnings about undocumented members, which `unknown: "strip"` removes. */
const UNDOCUMENTED = ["msg.field.unknown", "msg.field.more"];

function issues(operation, request, options) {
  const isStripped = options.unknown === "strip";
  const value = options.emptyStrings === "absent" ? withoutEmptyStrings(operation, request) : request;
  const { errors, warnings } = checked(operation, value);
  const isListed = ({ code, severity }) => severity === "warning" && !(isStripped && UNDOCUMENTED.includes(code));
  const problems = options.warnings ? [...errors, ...warnings.filter(isListed)] : errors;
  if (problems.length === 0) return { value: isStripped ? withoutUndocumented(operation, value) : value };
  const issue = ({ path, code, severity, params, fix }) => ({ path, code, severity, ...(params && { params }), ...(fix && { fix }) });
  return { issues: problems.map((problem) => ({ message: options.message?.(problem) ?? problem.message, ...issue(problem) })) };
}

/** The values of an option; the first one is the default. */
const CHOICES = { emptyStrings: ["keep", "absent"], unknown: ["keep", "strip"] };

function checkOptions(options) {
  const toError = (message) => new RangeError(`schema: ${message}`);
  const { message, warnings = false } = known("schema", "the options", options, ["message", "warnings", ...Object.keys(CHOICES)], toError);
  if (message !== undefined && typeof message !== "function") throw new TypeError(`schema: the option message must be a function, got ${kind(message)}`);
  boolean("schema", "the option warnings", warnings);
  for (const [name, values] of Object.entries(CHOICES)) {
    if (![undefined, ...values].includes(options[name])) throw toError(`the option ${name} must be ${values.map((value) => `"${value}"`).join(" or ")}`);
  }
}

function unknownOperation(operation) {
  const meant = nearest(operation, Object.keys(REQUESTS));
  return new RangeError(`schema: unknown operation; ${meant ? `did you mean \`${meant}\`?` : "see operations()"}`);
}

export function schemaWith(init) {
  return (operation, options = {}) => {
    if (!Object.hasOwn(REQUESTS, string("schema", "the operation", operation))) throw unknownOperation(operation);
    checkOptions(options);
    const converted = (options) => jsonSchema(operation, options);
    return {
      "~standard": {
        version: 1,
        vendor: "cpaas",
        validate: (value) => (isReady() ? issues(operation, value, options) : init().then(() => issues(operation, value, options))),
        jsonSchema: { input: converted, output: converted },
      },
    };
  };
}
