// Builds files for download.

/** A spreadsheet would execute a cell that begins like a formula. */
export const quote = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export function download(name: string, content: string, mime: string): void {
  const address = URL.createObjectURL(new Blob(["\uFEFF", content].slice(mime === "text/csv" ? 0 : 1), { type: mime }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
