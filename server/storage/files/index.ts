// The attachment store: leave to upload, reading the upload, keeping the file, addresses to fetch it again.

export { checkDownload, signDownload } from "./download.ts";
export { BadKey, DiskFull, FileMissing, FileTooLarge, MalformedUpload } from "./errors.ts";
export { keyFor, safeFileName } from "./file-name.ts";
export {
  allowedExtensions,
  checkGrant,
  type Grant,
  type Granted,
  keyOfCopy,
  makeGrant,
  newKey,
  sizeLimit,
} from "./grant.ts";
export { readForm, readUpload, type Upload } from "./multipart.ts";
export { checkS3Form, type S3Form, s3Form } from "./s3-form.ts";
export type { Refused } from "./sign.ts";
export { FileStore } from "./store.ts";
