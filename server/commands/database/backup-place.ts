import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Configuration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";
import { describeLocation, parseFilesUrl } from "../../base/files-location.ts";
import { FileMissing, type FileStore, openStore } from "../../files/index.ts";
import { prepareDataFolder } from "./data-folder.ts";

// A backup is written to a file of this machine and read from one. Where it belongs to a bucket, it passes through the data
// folder: only a complete file has a checksum, and a restore reads it twice.

type Env = Record<string, string | undefined>;

export type BackupTarget = {
  /** for messages */
  name: string;
  path: string;
  /** when the file is complete */
  finish(): Promise<void>;
  clean(): Promise<void>;
};
/** The caller cleans up. */
export type BackupSource = { path: string; clean(): Promise<void> };

const maxSize = 2 ** 43;
const isBucket = (place: string): boolean => place.startsWith("s3://");

type BucketFile = { name: string; key: string; store: FileStore };

/** s3://bucket/folder/name?parameters: the name is the key, the rest as in FILES_URL. */
function parseBucketFile(place: string, configuration: Configuration, env: Env): BucketFile {
  const url = URL.canParse(place) ? new URL(place) : null;
  const key = url === null ? "" : decodeURIComponent(basename(url.pathname));
  if (url === null || !/^[\w-][\w.-]*$/.test(key))
    throw new OperatorError("Invalid bucket URL. Use the form s3://bucket/folder/steward.tar.gz?region=eu-central-1.");
  url.pathname = dirname(url.pathname);
  const location = parseFilesUrl("FILE", url.href, env);
  return { key, name: `${describeLocation(location)}${key}`, store: openStore(location, configuration) };
}

async function makeWorkFolder(configuration: Configuration): Promise<string> {
  await prepareDataFolder(configuration);
  return mkdtemp(join(configuration.dataDirectory, ".backup-"));
}

export async function prepareBackupTarget(
  place: string,
  configuration: Configuration,
  env: Env,
): Promise<BackupTarget> {
  if (!isBucket(place)) {
    const path = resolve(place);
    await requireWritablePath(path);
    return { name: path, path, finish: async () => {}, clean: async () => {} };
  }
  const { name, key, store } = parseBucketFile(place, configuration, env);
  await store.check(); // before everything is read for nothing
  const folder = await makeWorkFolder(configuration);
  const path = join(folder, key);
  return {
    name,
    path,
    finish: async () => void (await store.write(key, createReadStream(path), maxSize)),
    clean: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function prepareBackupSource(
  place: string,
  configuration: Configuration,
  env: Env,
): Promise<BackupSource> {
  if (!isBucket(place)) {
    const path = resolve(place);
    if (!(await stat(path).catch(() => null))?.isFile()) throw new OperatorError(`File not found: ${path}`);
    return { path, clean: async () => {} };
  }
  const { name, key, store } = parseBucketFile(place, configuration, env);
  const { stream } = await store.read(key).catch((error) => {
    throw error instanceof FileMissing ? new OperatorError(`File not found: ${name}`, { cause: error }) : error;
  });
  const folder = await makeWorkFolder(configuration);
  const clean = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, key);
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
    return { path, clean };
  } catch (error) {
    await clean();
    throw error;
  }
}

async function requireWritablePath(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory()) throw new OperatorError(`${file} is a folder. Specify a file.`);
  const folder = await stat(dirname(file)).catch(() => null);
  if (!folder?.isDirectory()) throw new OperatorError(`Folder not found: ${dirname(file)}`);
}
