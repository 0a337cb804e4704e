import { attachmentsDirectory, type Configuration, getFilesLocation } from "../base/configuration.ts";
import type { FilesLocation } from "../base/files-location.ts";
import { FallbackStore } from "./fallback-store.ts";
import type { FileStore } from "./file-store.ts";
import { FolderStore } from "./folder-store.ts";
import { S3Store } from "./s3/s3-store.ts";

/** Files on their way to a bucket are in the folder of the attachments. */
export const openStore = (location: FilesLocation, configuration: Configuration): FileStore =>
  location.kind === "folder"
    ? new FolderStore(location.path)
    : new S3Store(location, new FolderStore(attachmentsDirectory(configuration)));

/** The store of FILES_URL, which finds files that are still in the one of FILES_FALLBACK_URL. */
export function createFileStore(configuration: Configuration): FileStore {
  const store = openStore(getFilesLocation(configuration), configuration);
  const { filesFallback } = configuration;
  return filesFallback === null ? store : new FallbackStore(store, openStore(filesFallback, configuration));
}
