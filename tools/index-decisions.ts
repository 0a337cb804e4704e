import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// Writes docs/decisions/README.md: every decision with the page that explains it.

const folder = join(import.meta.dirname, "../docs/decisions");

type Decision = {
  id: string;
  title: string;
  /** in the words of its first line: "superseded by D-645", "no longer applies" */
  mark: string | null;
};
type Page = { file: string; title: string; decisions: Decision[] };

const markPattern = /^(Superseded by D-\d{3}|Amended by D-\d{3}(?: and D-\d{3})*|No longer applies)[.:]/;

function readMark(firstLine: string): string | null {
  const [, mark] = markPattern.exec(firstLine) ?? [];
  return mark === undefined ? null : mark.charAt(0).toLowerCase() + mark.slice(1);
}

export function readDecisionPages(): Page[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      const entries = [...text.matchAll(/^## (D-\d{3}) (.+)\n\n(.*)/gm)];
      return {
        file,
        title: /^# (.+)$/m.exec(text)?.[1] ?? file,
        decisions: entries.map(([, id = "", title = "", firstLine = ""]) => ({ id, title, mark: readMark(firstLine) })),
      };
    });
}

export function buildDecisionIndex(pages: readonly Page[]): string {
  const last = pages
    .flatMap(({ decisions }) => decisions.map(({ id }) => id))
    .sort()
    .at(-1);
  const sections = pages.map(({ file, title, decisions }) => {
    const lines = decisions.map(({ id, title, mark }) => `- ${id} ${title}${mark === null ? "" : ` (${mark})`}`);
    return `## [${title}](${file})\n\n${lines.join("\n")}\n`;
  });
  return `# Decisions

One entry for each technical choice and for each place where the specification leaves something open, on the page of its
subject. Code cites an entry by its id (\`D-042\`). \`docs/behaviour/\` defines what the system does; these pages say why.

An id is never reused. Add a decision at the end of the page of its subject with the next id (the last one is ${last}), and run
\`npm run index-decisions\`, which writes this page. The first line of an entry says when it no longer holds:

- "Superseded by D-NNN." if another decision replaces it,
- "Amended by D-NNN: …" if another decision changes a part of it,
- "No longer applies: …" with the reason, if no other decision replaces it.

${sections.join("\n")}`;
}

if (import.meta.main) writeFileSync(join(folder, "README.md"), buildDecisionIndex(readDecisionPages()));
