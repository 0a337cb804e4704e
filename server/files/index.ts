// The attachment store: upload grants, parsing uploads, storing files, and signed download addresses.

export { checkDownload, signDownload } from "./download.ts";
export {
  BadKey,
  DiskFull,
  FileDamaged,
  FileMissing,
  FileTooLarge,
  MalformedUpload,
  StorageAway,
} from "./errors.ts";
export { buildFileKey, fileNamePlaceholder, safeFileName } from "./file-name.ts";
export type { DirectTransfer, FileStore, StoredFile } from "./file-store.ts";
export { claimFilesFolder, describeForeignFolder, folderMark, isFilesFolder } from "./files-folder.ts";
export { FolderStore } from "./folder-store.ts";
export { type MoveSummary, moveFiles } from "./move-files.ts";
export { readForm, readUpload, type Upload } from "./multipart.ts";
export { createFileStore, openStore } from "./open-store.ts";
export { checkS3Form, createS3Form, type S3Form } from "./s3-form.ts";
export type { SignatureRejection } from "./sign.ts";
export {
  allowedExtensions,
  checkUploadGrant,
  createCopyKey,
  createFileKey,
  createUploadGrant,
  folderPrefix,
  parseGrantedKey,
  parseKeyAccount,
  sizeLimit,
  type UploadGrant,
  type ValidUploadGrant,
} from "./upload-grant.ts";
