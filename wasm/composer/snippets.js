// Writes a complete program that sends a request, in each language. The programs read their configuration from the environment.

const ROUTES = {
  "sms.send": ["SMS", "/sms"],
  "sms.send_bulk": ["SMS", "/smsbulk"],
  "otp.send": ["OTP", "/2fa/send"],
  "messages.send": ["MESSAGING", "/messages/send"],
  "messages.send_failover": ["MESSAGING", "/messages/send"],
  "messages.send_bulk": ["MESSAGING", "/api/v1.1/Messages/sendbulk"],
};
/** The key of each API. Without its own key, the messaging API uses the SMS key or else the OTP key, as the client does. */
const KEYS = { SMS: "$CPAAS_SMS_KEY", MESSAGING: "${CPAAS_MESSAGING_KEY:-${CPAAS_SMS_KEY:-$CPAAS_API_KEY}}" };

export const hasCurl = (operation) => operation in ROUTES;

const shell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
/** Escapes the characters that change the direction of text: rustc refuses them in a literal, and they hide what a program does. */
const escapeDirections = (json) => json.replace(/[\u202a-\u202e\u2066-\u2069]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
const literal = (value) => escapeDirections(JSON.stringify(value, null, 4));

/** Encodes the request as the client does: merges `extra`, renames the member of the bulk call. */
function encodeRequest(operation, value) {
  if (Array.isArray(value)) return value.map((item) => encodeRequest("", item));
  if (value === null || typeof value !== "object") return value;
  const { extra, ...members } = value;
  const merged = { ...members, ...(extra !== null && typeof extra === "object" ? extra : {}) };
  const name = (key) => (operation === "messages.send_bulk" && key === "messenger_a" ? "messengerA" : key);
  return Object.fromEntries(Object.entries(merged).map(([key, item]) => [name(key), encodeRequest("", item)]));
}

/** The request as `fetch` sends it to a sandbox of this origin, with the keys of an account. */
export function httpRequest(operation, value, config) {
  const [family, path] = ROUTES[operation];
  const auth = family === "OTP" ? { authorization: `Basic ${btoa(`${config.account_sid}:${config.api_key}`)}` } : { "x-service-api-key": config.sms_key };
  return { path, init: { method: "POST", headers: { ...auth, "content-type": "application/json" }, body: JSON.stringify(encodeRequest(operation, value)) } };
}

export function curl(operation, value) {
  const [family, path] = ROUTES[operation];
  const auth = family === "OTP" ? '-u "$CPAAS_ACCOUNT_SID:$CPAAS_API_KEY"' : `-H "X-Service-API-Key: ${KEYS[family]}"`;
  return `curl "$CPAAS_${family}_URL${path}" \\\n  ${auth} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shell(escapeDirections(JSON.stringify(encodeRequest(operation, value), null, 2)))}`;
}

function pythonValue(value, indent) {
  const inner = `${indent}    `;
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return escapeDirections(JSON.stringify(value));
  const rows = Array.isArray(value)
    ? value.map((item) => `${inner}${pythonValue(item, inner)},\n`)
    : Object.entries(value).map(([key, item]) => `${inner}${escapeDirections(JSON.stringify(key))}: ${pythonValue(item, inner)},\n`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return rows.length === 0 ? open + close : `${open}\n${rows.join("")}${indent}${close}`;
}

export function python(operation, value) {
  return `import cpaas

with cpaas.Client() as client:  # configuration: CPAAS_…
    result = client.call(${JSON.stringify(operation)}, ${pythonValue(value, "    ")})
    print(result)
`;
}

export function javascript(operation, value) {
  return `import { Client } from "cpaas/client";

const client = new Client(); // configuration: CPAAS_…
const result = await client.call(${JSON.stringify(operation)}, ${literal(value)});
console.log(result);
client.close();
`;
}

export function rust(operation, value) {
  const json = literal(value);
  const marks = "#".repeat(1 + Math.max(0, ...[...json.matchAll(/"(#+)/g)].map(([, found]) => found.length)));
  return `use cpaas::{Client, Config, OperationId};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(&Config::from_env()?)?;
    let operation = OperationId::find(${JSON.stringify(operation)}).ok_or("no such operation")?;
    let request = r${marks}"${json}"${marks};
    let response = client.call_json(operation, request).await?;
    println!("{}", response.value);
    Ok(())
}
`;
}

/** Writes bytes outside ASCII as octal escapes, which end after three digits, and avoids trigraphs. */
function cLiteral(text) {
  const octal = (character) => [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return JSON.stringify(text).replaceAll("?", "\\?").replace(/[^\x20-\x7e]/gu, octal);
}

export function c(operation, value) {
  const lines = JSON.stringify(value, null, 2).split("\n").map((line) => `        ${cLiteral(line)}`);
  return `#include <stdio.h>
#include <string.h>
#include "cpaas.h"

int main(void) {
    const char *request =
${lines.join("\n")};
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out); /* configuration: CPAAS_... */
    if (status == CPAAS_OK) {
        cpaas_text_free(&out);
        status = cpaas_call(client, ${JSON.stringify(operation)}, request, strlen(request), &out);
    }
    printf("%s: %s\\n", cpaas_status_name(status), out.data ? out.data : "");
    cpaas_text_free(&out);
    cpaas_client_free(client);
    return status == CPAAS_OK ? 0 : 1;
}
`;
}
