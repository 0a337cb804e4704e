// A checklist in the instructions: lines such as "- [ ] Front desk knows".

const itemPattern = /^\s*(?:[-*+]|\d+[.)])?\s*\[[ xX]?\]\s*(.+?)\s*$/;

export type Instructions = {
  /** the text without its checklist */
  text: string;
  items: readonly string[];
};

export function readInstructions(text: string): Instructions {
  const lines = text.split(/\r?\n/);
  const items = lines.flatMap((line) => itemPattern.exec(line)?.[1] ?? []);
  const rest = lines.filter((line) => !itemPattern.test(line)).join("\n");
  return { text: rest.trim(), items: [...new Set(items)] };
}
