"use client";
import { useEffect, useState } from "react";
import { init, validate } from "cpaas";
export default function Client() {
  const [said, say] = useState("");
  useEffect(() => { init().then(() => say(validate("sms.send", { from: "Acme", to: "306912345678", text: "" }).errors[0].pointer)); }, []);
  return <p id="client">{said}</p>;
}
