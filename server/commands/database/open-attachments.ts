import { type Configuration, getFilesLocation } from "../../base/configuration.ts";
import { createFileStore, type FileStore } from "../../files/index.ts";

/** The folder of the files, or the store where they are in no folder of this machine. */
export function openAttachments(configuration: Configuration): string | FileStore {
  const location = getFilesLocation(configuration);
  return location.kind === "folder" && configuration.filesFallback === null
    ? location.path
    : createFileStore(configuration);
}
