// Parses an upload as it arrives: first the fields, then one file as a stream. The stream ends only after the form
// ended properly, so a caller that read it to the end has the whole upload. Where fields may follow the file, they are
// known once it has been read.
//
// Own code instead of a package: @fastify/busboy 3.2.5 waits for ever when a part has no headers
// (`--b\r\n\r\n--b--\r\n`), and busboy 1.6.0 has had no release since 2022. Fields first and one file last need little.

import { Readable } from "node:stream";
import { BodyReader } from "./body-reader.ts";
import { MalformedUpload } from "./errors.ts";
import { type FormPart, parseBoundary, readPartHeaders } from "./form-part.ts";

const mostFields = 50;
const longestName = 100;
const longestValue = 65_536;
const longestHeaders = 16_384;
const longestPreamble = 1024;

const malformed = "The multipart body is incomplete or malformed.";
const lineEnd = Buffer.from("\r\n");
const headersEnd = Buffer.from("\r\n\r\n");

export type Upload = {
  fields: Map<string, string>;
  file: { field: string; name: string; type: string; stream: Readable };
};

type Options = {
  /** names of parts that are files even without a file name */
  fileParts?: readonly string[];
  /** fields may follow the file, too */
  anyOrder?: boolean;
};

/**
 * The caller reads the stream to its end or destroys it. The body is never destroyed here, so that the client can still
 * get an error response.
 */
export async function readUpload(
  contentType: string | undefined,
  body: Readable,
  options: Options = {},
): Promise<Upload> {
  const reader = new BodyReader(body, "\r\n"); // also the first boundary begins a line
  try {
    const boundary = parseBoundary(contentType);
    if (!boundary) throw new MalformedUpload("The request must be multipart/form-data with a boundary.");
    const { fields, file } = await readParts(reader, Buffer.from(`\r\n--${boundary}`), options);
    if (file === null) throw new MalformedUpload("There is no part with a file.");
    return { fields, file };
  } catch (error) {
    await reader.release();
    throw error;
  }
}

type Fields = Map<string, string>;
type Parts = { fields: Fields; file: Upload["file"] | null };

/** Parses a form without a file. */
export async function readForm(contentType: string | undefined, body: Readable): Promise<Map<string, string>> {
  const reader = new BodyReader(body, "\r\n");
  try {
    const boundary = parseBoundary(contentType);
    if (!boundary) throw new MalformedUpload("The request must be multipart/form-data with a boundary.");
    const { fields, file } = await readParts(reader, Buffer.from(`\r\n--${boundary}`), { fileParts: [] });
    if (file !== null) {
      file.stream.destroy();
      throw new MalformedUpload("A file is not expected here.");
    }
    return fields;
  } finally {
    await reader.release();
  }
}

async function readParts(reader: BodyReader, boundary: Buffer, options: Options): Promise<Parts> {
  const fields = new Map<string, string>();
  await reader.readUntil(boundary, longestPreamble, malformed);
  const part = await readFields(reader, boundary, fields, options.fileParts ?? ["file"]);
  return {
    fields,
    file: part === null ? null : openFilePart(part, reader, boundary, options.anyOrder ? fields : null),
  };
}

/** Reads fields up to the next file. */
async function readFields(
  reader: BodyReader,
  boundary: Buffer,
  fields: Fields,
  fileParts: readonly string[],
): Promise<FormPart | null> {
  for (let count = fields.size; await hasPart(reader); count += 1) {
    const part = readPartHeaders(await reader.readUntil(headersEnd, longestHeaders, malformed));
    if (!part.name || part.name.length > longestName) throw new MalformedUpload("A part has no usable name.");
    if (part.fileName !== null || fileParts.includes(part.name)) return part;
    if (count === mostFields) throw new MalformedUpload(`There are more than ${mostFields} fields.`);
    const value = await reader.readUntil(boundary, longestValue, `The part ${JSON.stringify(part.name)} is too long.`);
    fields.set(part.name, value.toString("utf8"));
  }
  return null;
}

function openFilePart(part: FormPart, reader: BodyReader, boundary: Buffer, behind: Fields | null): Upload["file"] {
  const stream = Readable.from(fileBytes(reader, boundary, behind), { objectMode: false });
  stream.on("error", () => {}); // it may fail before a listener is attached
  stream.on("close", () => reader.release());
  return { field: part.name, name: part.fileName ?? "", type: part.type, stream };
}

async function* fileBytes(reader: BodyReader, boundary: Buffer, behind: Fields | null): AsyncGenerator<Buffer> {
  yield* reader.readChunksUntil(boundary);
  if (behind === null && (await hasPart(reader)))
    throw new MalformedUpload("The file must be the last part, and the only file.");
  if (behind !== null && (await readFields(reader, boundary, behind, ["file"])) !== null)
    throw new MalformedUpload("There is more than one file.");
}

/** Two dashes after a boundary end the form; otherwise blanks and a line end follow. */
async function hasPart(reader: BodyReader): Promise<boolean> {
  if ((await reader.peek(2)) === "--") return false;
  const padding = await reader.readUntil(lineEnd, longestPreamble, malformed);
  if (padding.toString("latin1").trim() !== "") throw new MalformedUpload(malformed);
  return true;
}
