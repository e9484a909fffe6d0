// Parses CSV (RFC 4180); the separator is a comma, a semicolon or a tab.

/** Rows of cells, each with the line on which it begins. */
export function parseRows(text) {
  const separator = separatorOf(text);
  const rows = [];
  let cells = [];
  let cell = "";
  let quoted = false;
  let line = 1;
  let start = 1;
  const endCell = () => {
    cells.push(cell);
    cell = "";
  };
  const endRow = () => {
    endCell();
    if (cells.length > 1 || cells[0].trim() !== "") rows.push({ line: start, cells: cells.map((cell) => cell.trim()) });
    cells = [];
    start = line;
  };
  const body = text.replace(/^\uFEFF/, "");
  for (let index = 0; index < body.length; index++) {
    const character = body[index];
    if (character === "\n") line++;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (body[index + 1] === '"') cell += body[++index];
      else quoted = false;
    } else if (character === '"' && cell.trim() === "") {
      cell = "";
      quoted = true;
    } else if (character === separator) endCell();
    else if (character === "\n") endRow();
    else if (character !== "\r") cell += character;
  }
  endRow();
  return rows;
}

function separatorOf(text) {
  const head = text.slice(0, text.indexOf("\n") === -1 ? undefined : text.indexOf("\n"));
  return [",", ";", "\t"].map((separator) => [head.split(separator).length, separator]).sort((a, b) => b[0] - a[0])[0][1];
}
