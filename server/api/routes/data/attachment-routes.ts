import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { toTimestamp } from "../../../base/clock.ts";
import { BadRequest, Forbidden, Invalid, NotFound, TooLarge, Unauthorized } from "../../../base/errors.ts";
import { scheduleUploadCleanup } from "../../../engine/write/attachments.ts";
import { requireRecord } from "../../../engine/find.ts";
import { update } from "../../../engine/update.ts";
import { statement } from "../../../storage/database.ts";
import {
  allowedExtensions,
  checkDownload,
  checkUploadGrant,
  checkS3Form,
  FileMissing,
  FileTooLarge,
  type ValidUploadGrant,
  buildFileKey,
  MalformedUpload,
  createUploadGrant,
  readUpload,
  createS3Form,
  sizeLimit,
  type Upload,
} from "../../../storage/files/index.ts";
import { type ApiResponse, type Call, ok, type Route } from "../../http/route.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";

// CV21 to CV23. Upload first, then name the key in a record.

const reserveKey = statement(
  "INSERT INTO attachments (account_id, key, name, size, person_id, created_at) VALUES ($1, $2, $3, -1, $4, $5) ON CONFLICT DO NOTHING RETURNING 1",
);
const completeUpload = statement("UPDATE attachments SET size = $2 WHERE key = $1");
const releaseKey = statement("DELETE FROM attachments WHERE key = $1 AND size = -1");
const maxPictureBytes = 700_000;

export function attachmentRoutes(api: Api): Route[] {
  const { secret, engine } = api;
  return [
    {
      method: "GET",
      path: "/attachments/storage",
      scope: { type: "attachment", action: "Read" },
      async handle(call) {
        const whose = { secret, accountNumber: call.caller.account, personId: call.caller.person, now: engine.clock.now() };
        const { key, expiration, signature } = createUploadGrant(whose);
        const local = {
          key,
          "X-Xurrent-expiration": expiration,
          "X-Xurrent-signature": signature,
          "x-4me-expiration": expiration,
          "x-4me-signature": signature,
        };
        const storage = {
          size_limit: sizeLimit,
          allowed_extensions: allowedExtensions,
          provider: "local",
          upload_uri: `${call.origin}/v1/attachments`,
          local,
          s3: createS3Form(whose),
        };
        return ok(JSON.stringify(storage));
      },
    },
    // The signed policy of an s3 form is the credential; a local form comes with a token.
    {
      method: "POST",
      path: "/attachments",
      scope: { type: "attachment", action: "Read" },
      anonymous: true,
      handle: (call) => receiveUpload(api, call),
    },
    ...engine.types.all
      .filter((type) => type.hasAvatar && !type.singleton && type.ownedBy.length === 0)
      .map(
        (type): Route => ({
          method: "POST",
          path: `/${type.collection}/:id/avatar`,
          scope: { type: type.scopeName, action: "Update" },
          async handle(call) {
            const id = parseRecordId(call.params.id, type, api.domain);
            await requireRecord(call.engine, call.caller, type, id, "update");
            const upload = await readUploadedFile(call, ["avatar", "file"]);
            const chunks: Buffer[] = [];
            let size = 0;
            for await (const chunk of upload.file.stream as AsyncIterable<Buffer>) {
              size += chunk.length;
              if (size > maxPictureBytes) throw new TooLarge();
              chunks.push(chunk);
            }
            const kind = detectPictureType(Buffer.concat(chunks));
            if (kind === null) throw new Invalid([["picture_uri", "is not valid"]]);
            const picture_uri = `data:${kind};base64,${Buffer.concat(chunks).toString("base64")}`;
            return ok((await update(call.engine, call.caller, type, id, { members: { picture_uri } })).json);
          },
        }),
      ),
  ];
}

/** The first bytes tell what a picture is, whatever its name says. */
function detectPictureType(bytes: Buffer): string | null {
  if (bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  if (bytes.subarray(0, 4).toString("latin1") === "GIF8") return "image/gif";
  if (bytes.subarray(0, 4).toString("latin1") === "RIFF" && bytes.subarray(8, 12).toString("latin1") === "WEBP")
    return "image/webp";
  return null;
}

async function readUploadedFile(call: Call, fileParts: string[]): Promise<Upload> {
  const body = call.request.body as Readable | Buffer | undefined;
  if (body === undefined || body === null || Buffer.isBuffer(body))
    throw new BadRequest("Send the file as multipart/form-data");
  try {
    return await readUpload(call.request.headers["content-type"] ?? "", body, { fileParts });
  } catch (error) {
    if (error instanceof MalformedUpload) throw new BadRequest(error.message);
    throw error;
  }
}

async function receiveUpload(api: Api, call: Call): Promise<ApiResponse> {
  const { fields, file } = await readUploadedFile(call, ["file"]);
  const now = api.engine.clock.now();
  try {
    const lower = new Map([...fields].map(([name, value]) => [name.toLowerCase(), value]));
    const isS3 = lower.has("policy");
    const granted = isS3
      ? checkS3Form({ secret: api.secret, parts: fields, now })
      : checkUploadGrant({
          secret: api.secret,
          key: lower.get("key"),
          expiration: lower.get("x-xurrent-expiration") ?? lower.get("x-4me-expiration"),
          signature: lower.get("x-xurrent-signature") ?? lower.get("x-4me-signature"),
          now,
        });
    if (!isS3) requirePerson(call);
    if (!granted.ok) throw new Forbidden();
    if (!isS3 && (granted.personId !== call.caller.person || granted.accountNumber !== call.caller.account))
      throw new Forbidden();
    const key = buildFileKey(granted.key, file.name);
    await storeUpload(api, key, file.stream, granted, now);
    if (!isS3) return ok(JSON.stringify({ key }));
    const escaped = key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return {
      status: 201,
      json: `<?xml version="1.0" encoding="UTF-8"?>\n<PostResponse><Key>${escaped}</Key></PostResponse>`,
      headers: { "Content-Type": "application/xml; charset=utf-8" },
    };
  } catch (error) {
    file.stream.destroy();
    if (error instanceof FileTooLarge) throw new TooLarge();
    if (error instanceof MalformedUpload) throw new BadRequest(error.message);
    throw error;
  }
}

/** The key is taken first: of several uploads under one name exactly one succeeds, and what is there stays as it is. */
async function storeUpload(api: Api, key: string, stream: Readable, granted: ValidUploadGrant, now: Date): Promise<void> {
  const { database } = api.engine;
  const name = key.slice(key.lastIndexOf("/") + 1);
  const taken = await database.read(reserveKey, [granted.accountNumber, key, name, granted.personId, toTimestamp(now)]);
  if (taken.length === 0) throw new Forbidden();
  try {
    const { size } = await api.files.write(key, stream, sizeLimit);
    await database.transaction(async (tx) => {
      tx.send(completeUpload, [key, size]);
      scheduleUploadCleanup(tx, key, granted.accountNumber, now);
    });
  } catch (error) {
    await database.read(releaseKey, [key]);
    throw error;
  }
}

function requirePerson(call: Call): void {
  if (call.caller.person < 1) throw new Unauthorized();
}

/** GET /attachments/...: the address a record hands out, for anybody who has it, until it expires. */
export function registerDownloadRoute(api: Api, app: FastifyInstance, folder = "attachments"): void {
  app.get(`/${folder}/*`, async (request, reply) => {
    const key = `${folder}/${(request.params as { "*": string })["*"]}`;
    const { expires, signature } = request.query as Record<string, string | undefined>;
    const checked = checkDownload({ secret: api.secret, key, expires, signature, now: api.engine.clock.now() });
    if (!checked.ok) return reply.code(403).type("application/json; charset=utf-8").send('{"message":"Forbidden"}');
    try {
      const { stream, size } = await api.files.read(key);
      const name = key.slice(key.lastIndexOf("/") + 1);
      return reply
        .headers({
          "Content-Type": "application/octet-stream",
          "Content-Length": size,
          "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`,
          "Content-Security-Policy": "default-src 'none'; sandbox",
          "Cache-Control": "private, max-age=3600",
        })
        .send(stream);
    } catch (error) {
      if (error instanceof FileMissing) throw new NotFound();
      throw error;
    }
  });
}
