/** The members of an object of the core with names in camel case: `message_id` becomes `messageId`. Their values stay as they are. */
export function camelMembers(object) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [camel(name), value]));
}

/** A message of the core with the names of members, which are in backticks, in camel case. */
export const camelNames = (message) => message.replace(/`[\w.[\]]+`/g, camel);

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
