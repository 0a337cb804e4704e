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
  allowed_extensions: noted("lowercase, without the dot; empty: all extensions are allowed", strings),
  provider: noted("the name of the object whose members must be repeated in the upload", word("local", "s3")),
  upload_uri: noted("the URL to send the file to with POST", url),
  local: noted(
    "form fields to repeat in the upload; the key ends with a placeholder that is replaced by the file name",
    openObject({ key: string() }, string()),
  ),
  s3: noted("the same form fields, for clients that only support S3 forms", map(anything)),
});
export const uploadedFile = object({ key: string() });

export const attachmentOperations = operations({
  "GET /attachments/storage": {
    id: "getAttachmentStorage",
    summary: "Request permission to upload a file",
    description: "The permission is valid for ten minutes and one file.",
    tag: "Attachments",
    answer: attachmentStorage,
    answers: "The upload URL and form fields.",
  },
  "POST /attachments": {
    id: "uploadAttachment",
    summary: "Upload a file",
    description:
      'After the upload, save the record with `<field>_attachments: [{"key": "..."}]`. An S3 form requires no token because its signed policy is the credential.',
    tag: "Attachments",
    body: noted(
      "All members of `local` (or `s3`), followed by the file.",
      object({
        key: optional(string()),
        "X-Xurrent-expiration": optional(string()),
        "X-Xurrent-signature": optional(string()),
        file: noted("the file, as the last field", file()),
      }),
    ),
    bodyTypes: ["multipart/form-data"],
    answer: uploadedFile,
    answers: "The key of the uploaded file.",
    otherAnswers: { 201: { answer: file("application/xml"), answers: "The key of the file, for an S3 form." } },
  },
});

export const shortUrlOperations = operations({
  "GET /short_urls/:id/qr": {
    id: "getQrCodeOfShortUrl",
    summary: "Retrieve the QR code of a short URL",
    description: "A black-and-white image for labels.",
    answer: file("image/png"),
    answers: "The image.",
  },
});
