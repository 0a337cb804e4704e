import {
  anything,
  file,
  integer,
  map,
  noted,
  object,
  openObject,
  operations,
  optional,
  string,
  strings,
  url,
  word,
} from "../vocabulary/index.ts";

// Uploads of files, and the pictures of short URLs.

export const attachmentStorage = object({
  size_limit: noted("bytes", integer()),
  allowed_extensions: noted("lower case, without dot; empty: all are allowed", strings),
  provider: noted("the object whose members the upload repeats", word("local", "s3")),
  upload_uri: noted("where to post the file", url),
  local: noted(
    "parts to repeat in the upload; the key ends in a placeholder that the name of the file takes",
    openObject({ key: string() }, string()),
  ),
  s3: noted("the same for clients that know only S3 forms", map(anything)),
});
export const uploadedFile = object({ key: string() });

export const attachmentOperations = operations({
  "GET /attachments/storage": {
    id: "getAttachmentStorage",
    summary: "Request permission to upload a file",
    description: "The permission is good for ten minutes and one file.",
    tag: "Attachments",
    answer: attachmentStorage,
    answers: "Where and how to upload.",
  },
  "POST /attachments": {
    id: "uploadAttachment",
    summary: "Upload a file",
    description:
      'Afterwards write a record with `<field>_attachments: [{"key": "..."}]`. An S3 form needs no token: its signed policy is the credential.',
    tag: "Attachments",
    body: noted(
      "All members of `local` (or `s3`), then the file.",
      object({
        key: optional(string()),
        "X-Xurrent-expiration": optional(string()),
        "X-Xurrent-signature": optional(string()),
        file: noted("the file, last", file()),
      }),
    ),
    bodyTypes: ["multipart/form-data"],
    answer: uploadedFile,
    answers: "The key of the file.",
    otherAnswers: { 201: { answer: file("application/xml"), answers: "The same for an S3 form." } },
  },
});

export const shortUrlOperations = operations({
  "GET /short_urls/:id/qr": {
    id: "getQrCodeOfShortUrl",
    summary: "Retrieve the QR code of a short URL",
    description: "A picture for labels, black on white.",
    answer: file("image/png"),
    answers: "The picture.",
  },
});
