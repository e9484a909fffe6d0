import { init, validate } from "cpaas";
import Client from "./client.jsx";
export const dynamic = "force-dynamic";
export default async function Page() {
  await init();
  const { errors } = validate("sms.send", { from: "Acme", to: "306912345678", text: "" });
  return <main><p id="server">{errors[0].pointer}</p><Client /></main>;
}
