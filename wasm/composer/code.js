// The request as code to copy.
import { h } from "./dom.js";

const ROUTES = {
  "sms.send": ["SMS", "/sms"],
  "sms.send_bulk": ["SMS", "/smsbulk"],
  "otp.send": ["OTP", "/2fa/send"],
  "messages.send": ["MESSAGING", "/messages/send"],
  "messages.send_failover": ["MESSAGING", "/messages/send"],
  "messages.send_bulk": ["MESSAGING", "/api/v1.1/Messages/sendbulk"],
};

const LANGUAGES = { Python: python, JavaScript: javascript, Rust: rust, C: c };
const shell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function curl(operation, value) {
  const [family, path] = ROUTES[operation];
  const auth = family === "OTP" ? `-u "$CPAAS_ACCOUNT_SID:$CPAAS_API_KEY"` : `-H "X-Service-API-Key: $CPAAS_${family}_KEY"`;
  return `curl "$CPAAS_${family}_URL${path}" \\\n  ${auth} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shell(JSON.stringify(value, null, 2))}`;
}

const literal = (value) => JSON.stringify(value, null, 4);

function pythonValue(value, indent = "") {
  const inner = `${indent}    `;
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[\n${value.map((item) => `${inner}${pythonValue(item, inner)},\n`).join("")}${indent}]`;
  if (typeof value === "object") {
    const rows = Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${pythonValue(item, inner)},\n`);
    return rows.length === 0 ? "{}" : `{\n${rows.join("")}${indent}}`;
  }
  return JSON.stringify(value);
}

function python(operation, value) {
  return `import cpaas\n\nwith cpaas.Client() as client:  # configuration: CPAAS_…\n    result = client.call(${JSON.stringify(operation)}, ${pythonValue(value, "    ")})\n    print(result)`;
}

function javascript(operation, value) {
  return `import { init, validate } from "cpaas";\n\nawait init();\nconst request = ${literal(value)};\nconst { ok, errors } = validate(${JSON.stringify(operation)}, request);\nif (!ok) throw new Error(errors[0].message);\nawait fetch("/your/server", { method: "POST", body: JSON.stringify(request) });`;
}

function rust(operation, value) {
  const json = literal(value).replaceAll("\n", "\n    ");
  const marks = "#".repeat(1 + Math.max(0, ...[...json.matchAll(/"(#+)/g)].map(([, found]) => found.length)));
  return `use cpaas::{Client, Config, OperationId};\n\nlet client = Client::new(&Config::from_env()?)?;\nlet operation = OperationId::find(${JSON.stringify(operation)}).expect("an operation of the provider");\nlet answer = client.call_json(operation, r${marks}"${json}"${marks}).await?;\nprintln!("{}", answer.value);`;
}

function c(operation, value) {
  const quoted = JSON.stringify(JSON.stringify(value)).replace(/[^\x20-\x7e]/g, (character) => [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8)}`).join(""));
  return `#include <stdio.h>\n#include <string.h>\n#include "cpaas.h"\n\nint main(void) {\n    const char *request = ${quoted};\n    cpaas_client *client = NULL;\n    cpaas_text out;\n    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);\n    cpaas_text_free(&out);\n    if (status != CPAAS_OK) return 1;\n    status = cpaas_call(client, ${JSON.stringify(operation)}, request, strlen(request), &out);\n    printf("%s: %s\\n", cpaas_status_name(status), out.data ? out.data : "");\n    cpaas_text_free(&out);\n    cpaas_client_free(client);\n    return status == CPAAS_OK ? 0 : 1;\n}`;
}

let chosen = "curl";

/** @returns {(operation: string, value: unknown) => void} */
export function codePanel(root) {
  let shown = () => "";
  const output = h("pre", { class: "snippet", tabindex: "0", "aria-label": "Code" });
  const tabs = h("p", { class: "tabs", role: "group", "aria-label": "Language" });
  const copy = h("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(output.textContent);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(output);
      copy.textContent = "Selected";
    }
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  } }, "Copy");
  root.replaceChildren(h("div", { class: "row" }, tabs, copy), output);
  const draw = () => {
    output.textContent = shown(chosen);
    for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.textContent === chosen));
  };
  return (operation, value) => {
    const languages = { ...(operation in ROUTES && { curl }), ...LANGUAGES };
    if (!(chosen in languages)) chosen = "Python";
    shown = (language) => languages[language](operation, value);
    const names = Object.keys(languages);
    if (names.join() !== [...tabs.children].map((tab) => tab.textContent).join()) {
      tabs.replaceChildren(...names.map((name) => h("button", { type: "button", onclick: () => ((chosen = name), draw()) }, name)));
    }
    draw();
  };
}
