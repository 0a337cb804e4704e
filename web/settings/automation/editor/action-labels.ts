// In the API every action has a label, "a1: set …", which the server renumbers. The editor shows lines without labels:
// an unindented line begins an action, an indented one continues it, and a quoted text may span several lines.

/** Returns the quote character that is still open at the end of the line, if any. */
function followQuotes(line: string, open: string | null): string | null {
  let quote = open;
  for (let i = 0; i < line.length; i++) {
    const character = line.charAt(i);
    if (quote === null) quote = character === "'" || character === '"' ? character : null;
    else if (character === "\\") i++;
    else if (character === quote) quote = null;
  }
  return quote;
}

const label = /^a\d+:[ \t]*/;

export function removeLabels(text: string): string {
  let quote: string | null = null;
  return text
    .split("\n")
    .map((line, index) => {
      const inText = quote !== null;
      quote = followQuotes(line, quote);
      if (inText || line.trim() === "" || /^\s/.test(line)) return line;
      return label.test(line) ? line.replace(label, "") : index === 0 ? line : `  ${line}`;
    })
    .join("\n");
}

/** The text with labels, and the number of characters by which each of its lines has moved. */
export function addLabels(text: string): { text: string; shifts: readonly number[] } {
  let quote: string | null = null;
  let number = 0;
  const shifts: number[] = [];
  const lines = text.split("\n").map((line) => {
    const inText = quote !== null;
    quote = followQuotes(line, quote);
    const begins = !inText && line.trim() !== "" && !/^\s/.test(line);
    if (begins) number++;
    const added = begins && !label.test(line) ? `a${number}: ` : "";
    shifts.push(added.length);
    return added + line;
  });
  return { text: lines.join("\n"), shifts };
}
