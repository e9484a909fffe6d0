// The values of forms: empty inputs, and members that an operation does not document.
import { ALIASES, OBJECTS, REQUESTS } from "./schemas.js";
import { VALUES } from "./validate.js";

/**
 * A copy of a request without some members of its documented objects: those for which `isLeftOut(value, isDocumented)` returns true. A value
 * that does not change is not copied. Nothing is left out of undocumented objects, and of `extra`.
 */
function without(operation, request, isLeftOut) {
  let visited = 0;
  const members = (value, schema, spellings) => {
    const entries = Object.entries(value);
    const kept = [];
    for (const [name, inner] of entries) {
      const documented = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties[name] : schema.additionalProperties;
      if (isLeftOut(inner, documented || spellings.includes(name) || name === "extra")) continue;
      kept.push([name, documented ? copy(inner, documented) : inner]);
    }
    const isSame = kept.length === entries.length && kept.every(([, inner], index) => inner === entries[index][1]);
    return isSame ? value : Object.fromEntries(kept);
  };
  const elements = (values, schema) => {
    const copies = [];
    for (let index = 0; index < values.length; index++) copies.push(copy(values[index], schema));
    return copies.every((inner, index) => inner === values[index]) ? values : copies;
  };
  const copy = (value, schema, spellings = []) => {
    if (++visited > VALUES) throw new RangeError();
    if (schema.$ref) return copy(value, OBJECTS[schema.$ref], ALIASES[schema.$ref]);
    if (value === null || typeof value !== "object" || typeof value.toJSON === "function") return value;
    const { items } = schema.anyOf?.find((choice) => choice.items) ?? schema;
    if (Array.isArray(value)) return items ? elements(value, items) : value;
    return schema.properties || schema.additionalProperties ? members(value, schema, spellings) : value;
  };
  try {
    return copy(request, REQUESTS[operation], ALIASES[operation]);
  } catch {
    return request; // `validate` reports what cannot be read, and what is too large
  }
}

/** A request without the members whose value is an empty string. */
export const withoutEmptyStrings = (operation, request) => without(operation, request, (value) => value === "");

/** A request without the members that the operation does not document. */
export const withoutUndocumented = (operation, request) => without(operation, request, (value, isDocumented) => !isDocumented);
