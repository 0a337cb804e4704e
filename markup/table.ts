// Tables use tags that look like HTML but are our own markup: a tag with attributes, a tag of another name, or words
// outside the cells make the whole text, not a table.

type RawCell = { header: boolean; lines: string[] };

const tags = /<(\/?)(table|tr|th|td)>/gi;

/** Closing tags other than `</table>` are optional. A second `<table>` ends the attempt, so none is parsed twice. */
export function parseTable(lines: string[], at: number): { rows: RawCell[][]; next: number } | null {
  if (!/^\s*<table>/i.test(lines[at] ?? "")) return null;
  const rows: RawCell[][] = [];
  let cell: RawCell | null = null;
  for (let next = at; next < lines.length; next += 1) {
    let line = lines[next] ?? "";
    if (next === at) line = line.replace(/^\s*<table>/i, "");
    let from = 0;
    for (const tag of line.matchAll(tags)) {
      const words = line.slice(from, tag.index);
      from = tag.index + tag[0].length;
      if (cell) cell.lines.push(words);
      else if (words.trim() !== "") return null;

      const name = tag[2]?.toLowerCase();
      const closes = tag[1] === "/";
      cell = null;
      if (name === "table") return closes && line.slice(from).trim() === "" ? finishTable(rows, next + 1) : null;
      if (name === "tr" && !closes) rows.push([]);
      if (name !== "tr" && !closes) {
        cell = { header: name === "th", lines: [] };
        const row = rows.at(-1);
        if (!row) return null;
        row.push(cell);
      }
    }
    const rest = line.slice(from);
    if (cell) cell.lines.push(rest);
    else if (rest.trim() !== "") return null;
  }
  return null;
}

function finishTable(rows: RawCell[][], next: number): { rows: RawCell[][]; next: number } | null {
  const filled = rows.filter((row) => row.length > 0);
  return filled.length > 0 ? { rows: filled, next } : null;
}
