import { BadKey } from "./errors.ts";

/** Keys have no names with a leading dot: these are `..` and unfinished files. */
export function splitKey(key: string): string[] {
  const parts = key.split("/");
  const isName = (part: string) => /^[^.\\\p{Cc}][^\\\p{Cc}]*$/u.test(part) && Buffer.byteLength(part) <= 255;
  if (key.length > 1024 || !key.isWellFormed() || !parts.every(isName)) throw new BadKey();
  return parts;
}
