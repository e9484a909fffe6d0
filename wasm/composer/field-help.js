// The help text and the documented values of a field.
import { DESCRIPTIONS } from "./field-descriptions.js";

/** Adds the descriptions of the members to the schema of a request or of an object inside it. */
export function describe(name, { properties = {} }) {
  for (const [member, text] of Object.entries(DESCRIPTIONS[name] ?? {})) if (properties[member]) properties[member].description = text;
}

/** The documented values of a field, or undefined. */
export const choicesOf = (node) => node.enum ?? node.examples;
