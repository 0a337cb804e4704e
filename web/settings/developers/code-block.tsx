import { Fragment } from "react";

const part = /("(?:\\.|[^"\\])*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;
/** Beyond this size, highlighting costs more than it helps. */
const mostColored = 20_000;

/** Highlights the names, texts and numbers of JSON; any other text is returned unchanged. */
function color(text: string) {
  if (text.length > mostColored || !/^\s*[{[]/.test(text)) return text;
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(part)) {
    const [all, quoted, colon] = found;
    const kind = quoted === undefined ? "number" : colon === undefined ? "text" : "name";
    parts.push(
      <Fragment key={found.index}>
        {text.slice(at, found.index)}
        <span data-json={kind}>{quoted ?? all}</span>
        {colon}
      </Fragment>,
    );
    at = found.index + all.length;
  }
  return [...parts, text.slice(at)];
}

/** A scrolling block of code or output. */
export const CodeBlock = ({ label, text }: { label: string; text: string }) => (
  <figure className="log-figure" aria-label={label}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard */}
    <pre className="log-code" tabIndex={0}>
      {color(text)}
    </pre>
  </figure>
);
