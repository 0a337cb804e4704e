/** Quotes a text as one shell word. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function buildCurl(
  method: string,
  uri: string,
  headers: Readonly<Record<string, string>>,
  body: string | null,
): string {
  const lines = [
    `curl -X ${method} ${quoteForShell(uri)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === null || body === "" ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ];
  return lines.join(" \\\n  ");
}

export function formatJson(text: string | null): string {
  try {
    return text === null ? "" : JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text ?? "";
  }
}
