// Turns the file name of a client into one that is safe in keys, folders and downloads.

const maxNameBytes = 255; // bytes; what Linux file systems allow
const maxExtensionBytes = 32;

/** The placeholder for the file name in the key of a grant; clients expect exactly this text. */
export const fileNamePlaceholder = "$" + "{filename}";

/** The final key: the key of the grant with `${filename}` replaced. Clients may also fill in the name themselves. */
export function buildFileKey(grantKey: string, fileName: string): string {
  const folder = grantKey.slice(0, grantKey.lastIndexOf("/") + 1);
  const lastPart = grantKey.slice(folder.length);
  // Not String.replace(): `$&` in a file name would have a special meaning.
  return folder + safeFileName(lastPart.split(fileNamePlaceholder).join(safeFileName(fileName)));
}

export function safeFileName(written: string): string {
  const visible = written
    .toWellFormed()
    // Bidirectional control characters make `gpj.exe` look like `exe.jpg`.
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "")
    .normalize("NFC");
  // Some browsers send the whole path, with the separators of their system.
  const base = visible.slice(Math.max(visible.lastIndexOf("/"), visible.lastIndexOf("\\")) + 1);
  return shortenFileName(base.replace(/^[\s.]+/, "").trimEnd()) || "file";
}

/** Cuts in the middle, between characters, because the extension identifies the file type. */
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
