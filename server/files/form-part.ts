// The headers of the form and of its parts (RFC 7578).

import { MalformedUpload } from "./errors.ts";

export type FormPart = { name: string; fileName: string | null; type: string };

/** The boundary between the parts, or null when this is no multipart form. */
export function parseBoundary(contentType: string | undefined): string | null {
  if (!contentType || !/^multipart\/form-data\s*;/i.test(contentType)) return null;
  const boundary = parseParameters(contentType).get("boundary") ?? "";
  return /^[\x20-\x7e]{1,200}$/.test(boundary) ? boundary : null;
}

export function readPartHeaders(headers: Buffer): FormPart {
  const unfolded = headers.toString("utf8").replace(/\r\n[ \t]+/g, " ");
  const lines = unfolded.split("\r\n");
  if (!lines.every((line) => /^[\w-]+:/.test(line))) throw new MalformedUpload("The headers of a part are malformed.");
  const header = (name: string) =>
    lines.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1);
  const disposition = header("content-disposition") ?? "";
  const parameters = /^\s*form-data\s*;/i.test(disposition) ? parseParameters(disposition) : new Map<string, string>();
  return {
    name: parameters.get("name") ?? "",
    fileName: decodeExtendedValue(parameters.get("filename*")) ?? parameters.get("filename") ?? null,
    type: header("content-type")?.split(";")[0]?.trim().toLowerCase() || "application/octet-stream",
  };
}

/** `; a=b; c="d"`. Stops at the first thing that is no parameter, so a hostile header is read only once. */
function parseParameters(header: string): Map<string, string> {
  const found = new Map<string, string>();
  const parameters = header.slice(Math.max(0, header.indexOf(";")));
  const pattern = /\s*;\s*([\w*-]+)(?:=(?:"((?:\\.|[^"\\])*)"|([^\s;"]*)))?/gy;
  for (const [, name = "", quoted, plain] of parameters.matchAll(pattern)) {
    // Only what must be escaped is unescaped: old browsers send `C:\folder\name` as it is.
    const value = quoted?.replace(/\\(["\\])/g, "$1") ?? plain ?? "";
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  return found;
}

/** `UTF-8''na%C3%AFve.txt`, which some clients send beside or instead of the plain name. */
function decodeExtendedValue(value: string | undefined): string | null {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? "") ?? [];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
