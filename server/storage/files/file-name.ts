// From the name a client gives its file to one that may stand in a key, in a folder and in a download.

const maxNameBytes = 255; // bytes; what Linux file systems allow
const maxExtensionBytes = 32;

/** The place in a grant's key that the name of the file will take; clients look for these very letters. */
export const fileNamePlaceholder = "$" + "{filename}";

/** The final key: the grant's with `${filename}` replaced. Clients that filled the name in themselves keep theirs. */
export function buildFileKey(grantKey: string, fileName: string): string {
  const folder = grantKey.slice(0, grantKey.lastIndexOf("/") + 1);
  const lastPart = grantKey.slice(folder.length);
  // Pieces, not replace(): in a replacement text `$&` would mean something, and file names may hold anything.
  return folder + safeFileName(lastPart.split(fileNamePlaceholder).join(safeFileName(fileName)));
}

export function safeFileName(written: string): string {
  const visible = written
    .toWellFormed()
    // Characters that turn the direction of writing make `gpj.exe` read `exe.jpg`.
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "")
    .normalize("NFC");
  // Some browsers send the whole path, with the separators of their own system.
  const base = visible.slice(Math.max(visible.lastIndexOf("/"), visible.lastIndexOf("\\")) + 1);
  return shortenFileName(base.replace(/^[\s.]+/, "").trimEnd()) || "file";
}

/** Cut in the middle, between characters: the extension says what the file is. */
function shortenFileName(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= maxExtensionBytes ? name.slice(dot) : "";
  const room = maxNameBytes - Buffer.byteLength(extension);
  let stem = "";
  let size = 0;
  for (const character of name) {
    size += Buffer.byteLength(character);
    if (size > room) break;
    stem += character;
  }
  return stem.trimEnd() + extension;
}
