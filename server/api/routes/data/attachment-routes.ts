import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { AnswerOf } from "../../../../records/answers/answer-of.ts";
import { attachmentOperations, type attachmentStorage, type uploadedFile } from "../../../../records/answers/files.ts";
import { file, noted, type Operation, object, optional, string } from "../../../../records/vocabulary/index.ts";
import { storeUpload } from "../../../actions/attachment-upload.ts";
import { BadRequest, Forbidden, Invalid, NotFound, TooLarge, Unauthorized } from "../../../base/errors.ts";
import type { Caller } from "../../../engine/caller.ts";
import { requireRecord } from "../../../engine/find.ts";
import type { Type } from "../../../engine/types.ts";
import { update } from "../../../engine/update.ts";
import { grantDirectUpload } from "../../../engine/write/direct-uploads.ts";
import {
  allowedExtensions,
  buildFileKey,
  checkDownload,
  checkS3Form,
  checkUploadGrant,
  createS3Form,
  createUploadGrant,
  FileMissing,
  readUpload,
  sizeLimit,
  type Upload,
} from "../../../files/index.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type ApiResponse, type Call, ok, okJson, type Route } from "../../http/route.ts";
import { getSchemaName, withArticle } from "../../openapi/names.ts";
import { serve } from "../../operations/serve.ts";

// CV21 to CV23. Clients upload a file first, then name its key in a record.

const maxPictureBytes = 700_000;

export function attachmentRoutes(api: Api): Route[] {
  const { engine } = api;
  return [
    ...serve(attachmentOperations, {
      "GET /attachments/storage": {
        scope: { type: "attachment", action: "Read" },
        handle: async (call) => ok(await buildStorage(api, call.caller, call.origin)),
      },
      // The signed policy of an s3 form is the credential; a local form comes with a token.
      "POST /attachments": {
        scope: { type: "attachment", action: "Read" },
        anonymous: true,
        handle: (call) => receiveUpload(api, call),
      },
    }),
    ...engine.types.all
      .filter((type) => type.routes.hasAvatar && !type.routes.singleton && type.ownedBy.length === 0)
      .map(
        (type): Route => ({
          method: "POST",
          path: `/${type.collection}/:id/avatar`,
          scope: { type: type.scopeName, action: "Update" },
          operation: declareAvatarUpload(type),
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
            const pictureType = detectPictureType(Buffer.concat(chunks));
            if (pictureType === null) throw new Invalid([["picture_uri", "is not valid"]]);
            const picture_uri = `data:${pictureType};base64,${Buffer.concat(chunks).toString("base64")}`;
            return okJson((await update(call.engine, call.caller, type, id, { members: { picture_uri } })).json);
          },
        }),
      ),
  ];
}

const declareAvatarUpload = (type: Type): Operation => ({
  id: `uploadAvatarOf${getSchemaName(type)}`,
  summary: `Upload the picture of ${withArticle(type.name)}`,
  description: "PNG, JPEG, GIF or WebP, at most 700 kB.",
  body: noted("The picture.", object({ avatar_file_name: optional(string()), avatar: noted("the picture", file()) })),
  bodyTypes: ["multipart/form-data"],
  answer: { kind: "record", type: type.name },
});

/** The address and form with which the caller uploads files. */
export async function buildStorage(
  { secret, engine, files }: Pick<Api, "secret" | "engine" | "files">,
  by: Caller,
  origin: string,
): Promise<AnswerOf<typeof attachmentStorage>> {
  const owner = { secret, accountNumber: by.account, personId: by.person, now: engine.clock.now() };
  const { key, expiration, signature } = createUploadGrant(owner);
  const local = {
    key,
    "X-Xurrent-expiration": expiration,
    "X-Xurrent-signature": signature,
    "x-4me-expiration": expiration,
    "x-4me-signature": signature,
  };
  const limits = { size_limit: sizeLimit, allowed_extensions: allowedExtensions };
  // A direct upload is found again by its grant, which names a person.
  if (files.direct !== null && by.person >= 1) {
    await grantDirectUpload(engine.database, by, key);
    const { uploadUri, createForm } = files.direct;
    return { ...limits, provider: "s3", upload_uri: uploadUri, local, s3: createForm(key) };
  }
  return {
    ...limits,
    provider: "local",
    upload_uri: `${origin}/v1/attachments`,
    local,
    s3: createS3Form(owner),
  };
}

/** From the first bytes: file names and declared types may be wrong. */
function detectPictureType(bytes: Buffer): string | null {
  if (bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  if (bytes.subarray(0, 4).toString("latin1") === "GIF8") return "image/gif";
  if (bytes.subarray(0, 4).toString("latin1") === "RIFF" && bytes.subarray(8, 12).toString("latin1") === "WEBP")
    return "image/webp";
  return null;
}

function readUploadedFile(call: Call, fileParts: string[]): Promise<Upload> {
  const body = call.request.body as Readable | Buffer | undefined;
  if (body === undefined || body === null || Buffer.isBuffer(body))
    throw new BadRequest("Send the file as multipart/form-data");
  return readUpload(call.request.headers["content-type"] ?? "", body, { fileParts });
}

async function receiveUpload(api: Api, call: Call): Promise<ApiResponse<AnswerOf<typeof uploadedFile>>> {
  const { fields, file: received } = await readUploadedFile(call, ["file"]);
  const now = api.engine.clock.now();
  try {
    const byLowerName = new Map([...fields].map(([name, value]) => [name.toLowerCase(), value]));
    const isS3 = byLowerName.has("policy");
    const grant = isS3
      ? checkS3Form({ secret: api.secret, parts: fields, now })
      : checkUploadGrant({
          secret: api.secret,
          key: byLowerName.get("key"),
          expiration: byLowerName.get("x-xurrent-expiration") ?? byLowerName.get("x-4me-expiration"),
          signature: byLowerName.get("x-xurrent-signature") ?? byLowerName.get("x-4me-signature"),
          now,
        });
    if (!isS3) requirePerson(call);
    if (!grant.ok) throw new Forbidden();
    if (!isS3 && (grant.personId !== call.caller.person || grant.accountNumber !== call.caller.account))
      throw new Forbidden();
    const key = buildFileKey(grant.key, received.name);
    await storeUpload(api.engine, api.files, grant, key, received.stream);
    if (!isS3) return ok({ key });
    const escaped = key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return {
      status: 201,
      json: `<?xml version="1.0" encoding="UTF-8"?>\n<PostResponse><Key>${escaped}</Key></PostResponse>`,
      headers: { "Content-Type": "application/xml; charset=utf-8" },
    };
  } catch (error) {
    received.stream.destroy();
    throw error;
  }
}

function requirePerson(call: Call): void {
  if (call.caller.person < 1) throw new Unauthorized();
}

/** For a client that resumes an interrupted download. Other ranges get the whole file, as the standard allows. */
const parseRangeStart = (range: string | undefined): number =>
  Number(/^bytes=(\d{1,15})-$/.exec(range ?? "")?.[1] ?? 0);

/** GET /attachments/...: the signed URL of a file is the only credential it needs, until it expires. */
export function registerDownloadRoute(api: Api, app: FastifyInstance, folder = "attachments"): void {
  app.get(`/${folder}/*`, async (request, reply) => {
    const key = `${folder}/${(request.params as { "*": string })["*"]}`;
    const { expires, signature } = request.query as Record<string, string | undefined>;
    const check = checkDownload({ secret: api.secret, key, expires, signature, now: api.engine.clock.now() });
    if (!check.ok) return reply.code(403).type("application/json; charset=utf-8").send('{"message":"Forbidden"}');
    if (api.files.direct !== null) {
      // The address is valid for minutes only, so this response must not be cached.
      return reply.header("Cache-Control", "no-store").redirect(await api.files.direct.signDownload(key), 302);
    }
    try {
      const start = parseRangeStart(request.headers.range);
      const whole = start === 0 ? null : await api.files.getSize(key);
      if (whole !== null && start >= whole) return reply.code(416).header("Content-Range", `bytes */${whole}`).send();
      const { stream, size } = await api.files.read(key, start);
      const name = key.slice(key.lastIndexOf("/") + 1);
      return reply
        .code(start === 0 ? 200 : 206)
        .headers({
          "Content-Type": "application/octet-stream",
          "Content-Length": size - start,
          "Accept-Ranges": "bytes",
          ...(start === 0 ? {} : { "Content-Range": `bytes ${start}-${size - 1}/${size}` }),
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
