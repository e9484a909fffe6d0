/** The first match of a pattern, which has one group, in what a process prints, such as the address at which a server is ready. */
export function printed(child, pattern) {
  return new Promise((found, failed) => {
    let said = "";
    const read = (text) => {
      said += text;
      const match = pattern.exec(said);
      if (match) found(match[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", () => failed(new Error(said)));
  });
}
