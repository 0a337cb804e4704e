// The attachment store: upload grants, parsing uploads, storing files, and signed download addresses.

export { checkDownload, signDownload } from "./download.ts";
export { BadKey, DiskFull, FileMissing, FileTooLarge, MalformedUpload } from "./errors.ts";
export { buildFileKey, safeFileName } from "./file-name.ts";
export { readForm, readUpload, type Upload } from "./multipart.ts";
export { checkS3Form, createS3Form, type S3Form } from "./s3-form.ts";
export type { SignatureRejection } from "./sign.ts";
export { FileStore } from "./store.ts";
export {
  allowedExtensions,
  checkUploadGrant,
  createCopyKey,
  createFileKey,
  createUploadGrant,
  sizeLimit,
  type UploadGrant,
  type ValidUploadGrant,
} from "./upload-grant.ts";
