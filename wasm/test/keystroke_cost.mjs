// Prints the cost of a keystroke in the composer, with the CPU throttled to a quarter: validation alone, the page's scripts, and the
// main thread with layout and paint, from Chromium's trace. Arguments: folders of other versions of the composer, to measure them
// too.
import { root, serve, withPage } from "./chromium.mjs";

const KEYS = 60;
const LONG = `${"word *bold* and _more_ ".repeat(178).slice(0, 4071)}to the last`;

const milliseconds = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  const of = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(2);
  return `best ${of(0)}, median ${of(0.5)}, 95 % ${of(0.95)} ms`;
};

/** Runs `use` and returns the trace events that it caused. */
async function traced(session, use) {
  const events = [];
  const add = ({ value }) => events.push(...value);
  session.on("Tracing.dataCollected", add);
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["devtools.timeline", "toplevel", "disabled-by-default-devtools.timeline", "v8"] }, transferMode: "ReportEvents" });
  await use();
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.end");
  await complete;
  session.off("Tracing.dataCollected", add);
  return events;
}

/** Milliseconds of each keystroke, by kind of work on the renderer's main thread. */
function perKey(events) {
  const inputs = events.filter(({ name, args }) => name === "EventDispatch" && args?.data?.type === "input").sort((a, b) => a.ts - b.ts);
  const thread = events.filter(({ pid, tid }) => pid === inputs[0].pid && tid === inputs[0].tid);
  const keys = inputs.map(({ ts }, index) => [ts - 2_000, (inputs[index + 1]?.ts ?? Infinity) - 2_000]);
  const sum = (wanted) => keys.map(([from, to]) => thread.filter((event) => event.ts >= from && event.ts < to && wanted(event)).reduce((total, { dur = 0, tdur = dur }) => total + tdur / 1000, 0));
  const named = (...names) => ({ name }) => names.includes(name);
  const event = ({ name, args }) => name === "EventDispatch" && args?.data?.type === "input";
  return {
    "input event": sum(event),
    "the frame's callbacks": sum(named("FireAnimationFrame")),
    "script together": sum((entry) => event(entry) || named("FireAnimationFrame", "FireIdleCallback", "TimerFire")(entry)),
    "style and layout": sum(named("UpdateLayoutTree", "Layout")),
    "all of the main thread": sum(named("RunTask", "ThreadControllerImpl::RunTask")),
  };
}

const checks = () => {
  const json = document.querySelector("#json").value;
  const { message, parseMode } = JSON.parse(json).messenger_c.text;
  return import("./cpaas/js/browser.js").then(({ parseMarkup, validateText }) => {
    const times = [];
    for (let run = 0; run < 60; run++) {
      const start = performance.now();
      validateText("messages.send", json);
      parseMarkup(message, parseMode);
      times.push(performance.now() - start);
    }
    return times;
  });
};

async function measure(composer) {
  const server = await serve({ composer });
  try {
    await withPage({ viewport: { width: 1440, height: 1000 } }, async (page) => {
      await page.goto(`${server.origin}/composer/`);
      await page.selectOption("#operation", "messages.send");
      await page.selectOption("#sample", "Messenger C: markup");
      const area = page.locator('[data-pointer="/messenger_c/text/message"] textarea');
      await area.fill(LONG);
      await area.press("End");
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
      const rest = () => page.waitForTimeout(120);
      const type = async () => {
        for (let key = 0; key < KEYS; key++) {
          await page.keyboard.press(key % 2 ? "Backspace" : "x");
          await rest();
        }
      };
      await traced(session, () => page.keyboard.press("y").then(rest)); // The first keystroke compiles the scripts.
      const times = perKey(await traced(session, type));
      console.log(`${KEYS} keystrokes in 4,082 characters of markup, CPU at a quarter of its speed`);
      console.log(`${"the checks alone".padEnd(24)} ${milliseconds(await page.evaluate(checks))}`);
      for (const [name, all] of Object.entries(times)) console.log(`${name.padEnd(24)} ${milliseconds(all)}`);
    });
  } finally {
    server.close();
  }
}

for (const composer of [...process.argv.slice(2), `${root}composer`]) {
  console.log(composer);
  await measure(composer);
}
