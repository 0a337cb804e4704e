import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { attachmentStorage, uploadedFile } from "../../records/answers/files.ts";
import { ApiError, readJson, send } from "./call.ts";
import { callRest } from "./rest.ts";

// Loaded when a person attaches a file for the first time.

export async function uploadFile(account: string, file: File): Promise<{ key: string; filesize: number }> {
  const storage = await readJson<AnswerOf<typeof attachmentStorage>>(
    callRest(account, { method: "GET", path: "/attachments/storage" }),
  );
  const form = new FormData();
  form.append("Content-Type", file.type || "application/octet-stream");
  for (const [name, value] of Object.entries(storage[storage.provider])) form.append(name, String(value));
  form.append("file", file, file.name);
  if (storage.provider === "s3") return { key: await sendToBucket(storage.upload_uri, form), filesize: file.size };
  const path = new URL(storage.upload_uri).pathname.replace(/^\/v1/, "");
  const { key } = await readJson<AnswerOf<typeof uploadedFile>>(
    callRest(account, { method: "POST", path, body: form }),
  );
  return { key, filesize: file.size };
}

/** The object storage isn't part of our API: it returns the file's key as XML. */
async function sendToBucket(uri: string, form: FormData): Promise<string> {
  const response = await send({ method: "POST", path: uri, body: form });
  const answer = await response.text().catch(() => "");
  const key = new DOMParser().parseFromString(answer, "application/xml").querySelector("Key")?.textContent;
  if (!key) throw new ApiError(0, "");
  return key;
}
