// On the wire every action has a label, "a1: set …", which the server numbers anew. The editor shows lines without them: a
// line that is not indented begins an action, an indented one continues it, and a text in quotes may have lines of its own.

/** Whether a text in quotes is still open at the end of the line, and with which quote. */
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

/** The text with labels, and by how many characters each of its lines has moved. */
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
