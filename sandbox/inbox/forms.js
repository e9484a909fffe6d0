// Form fields with labels. An error appears at the field that the sandbox's error names.
import { find, h, toast } from "./dom.js";

/** A control with a label and an error text; `pointer` is the member of the request that it sets. */
export function field(label, control, pointer, help) {
  const id = `field-${pointer.replace(/[^a-z_]+/gi, "-")}`;
  control.id ||= id;
  control.dataset.pointer = pointer;
  const note = h("p.error", { id: `${id}-error`, hidden: true });
  const about = help ? h("p.help", { id: `${id}-help` }, help) : null;
  control.setAttribute("aria-describedby", [help ? `${id}-help` : "", note.id].join(" ").trim());
  return h("div.labeled", {}, h("label", { for: control.id }, label), control, about, note);
}

/** Removes the errors of a form. */
export function clearErrors(form) {
  for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  for (const note of form.querySelectorAll(".error")) note.hidden = true;
}

/** Shows an error at the field that it names, or as a notice if the form does not have that field. */
export function showError(form, error, prefix = "") {
  const pointer = error.field?.startsWith(prefix) ? error.field.slice(prefix.length) : error.field;
  const fits = (control) => pointer === control.dataset.pointer || pointer?.startsWith(`${control.dataset.pointer}/`);
  const control = pointer && [...form.querySelectorAll("[data-pointer]")].find(fits);
  if (!control) {
    toast(error.message, "bad");
    return;
  }
  const note = find(".error", control.closest(".labeled"));
  note.textContent = error.message.replace(/^rules\[\d+\]: /, "");
  note.hidden = false;
  control.setAttribute("aria-invalid", "true");
  control.focus();
}
