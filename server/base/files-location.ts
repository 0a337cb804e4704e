import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { OperatorError } from "./errors.ts";

// The place where files are stored, according to FILES_URL.

export type S3Location = {
  kind: "s3";
  bucket: string;
  /** before every key; empty, or ends in "/" */
  prefix: string;
  endpoint: string;
  region: string;
  /** the bucket is part of the path, not of the host name */
  isPathStyle: boolean;
  /** how the service encrypts what it stores; null: no header asks for it */
  encryption: "AES256" | "aws:kms" | null;
  encryptionKey: string | null;
  /** clients send files to the bucket and get them from there */
  isDirect: boolean;
  /** how long the service may take to begin its answer */
  timeoutSeconds: number;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
};

export type FilesLocation = { kind: "folder"; path: string } | S3Location;

type Environment = Record<string, string | undefined>;

const parameterNames = ["endpoint", "region", "style", "encryption", "kms_key", "direct", "timeout"];

/** `name`: the variable, for messages. */
export function parseFilesUrl(name: string, text: string, env: Environment): FilesLocation {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "file:" && url.host === "") return { kind: "folder", path: resolve(fileURLToPath(url)) };
  if (url?.protocol !== "s3:" || !/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(url.hostname))
    throw new OperatorError(
      `${name} must look like s3://bucket/folder?endpoint=https://s3.example.com&region=eu-central-1 or file:///srv/files.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new OperatorError(
      `${name} must not contain credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.`,
    );
  const unknown = [...url.searchParams.keys()].find((key) => !parameterNames.includes(key));
  if (unknown !== undefined)
    throw new OperatorError(`Unknown parameter ${unknown} in ${name}. Valid parameters: ${parameterNames.join(", ")}.`);
  return readS3Location(name, url, env);
}

function readS3Location(name: string, url: URL, env: Environment): S3Location {
  const pick = <T extends string>(key: string, choices: readonly T[], fallback: T): T => {
    const value = url.searchParams.get(key) ?? fallback;
    if (!choices.includes(value as T))
      throw new OperatorError(`${key} in ${name} must be ${choices.join(" or ")}, not "${value}".`);
    return value as T;
  };
  const region = url.searchParams.get("region") || env.AWS_REGION || env.AWS_DEFAULT_REGION || "us-east-1";
  const ownEndpoint = url.searchParams.get("endpoint") || env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || null;
  const folder = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "");
  if (folder !== "" && !folder.split("/").every((part) => /^[\w-][\w.-]*$/.test(part)))
    throw new OperatorError(`The folder in ${name} may contain only letters, digits, dots, dashes and underscores.`);
  const isDirect = pick("direct", ["yes", "no"], "no") === "yes";
  // Clients name a file by the key that the bucket gave them, so it must be the key that we know.
  if (isDirect && folder !== "")
    throw new OperatorError(`${name} with direct=yes requires a dedicated bucket. Remove the folder.`);
  const encryption = pick("encryption", ["AES256", "aws:kms", "none"], "AES256");
  return {
    kind: "s3",
    bucket: url.hostname,
    prefix: folder === "" ? "" : `${folder}/`,
    endpoint: parseEndpoint(name, ownEndpoint ?? `https://s3.${region}.amazonaws.com`),
    region,
    // Host names of other services, and the certificates of Amazon for names with dots, do not cover buckets.
    isPathStyle:
      pick("style", ["path", "host"], ownEndpoint !== null || url.hostname.includes(".") ? "path" : "host") === "path",
    encryption: encryption === "none" ? null : encryption,
    encryptionKey: url.searchParams.get("kms_key"),
    isDirect,
    timeoutSeconds: parseTimeout(name, url.searchParams.get("timeout")),
    credentials: readCredentials(name, env),
  };
}

function parseEndpoint(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search !== "")
    throw new OperatorError(`The endpoint in ${name} must look like https://s3.example.com, not "${text}".`);
  return url.origin;
}

function parseTimeout(name: string, text: string | null): number {
  if (text === null) return 10;
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1)
    throw new OperatorError(`timeout in ${name} must be a whole number of seconds, not "${text}".`);
  return Number(text);
}

function readCredentials(name: string, env: Environment): S3Location["credentials"] {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new OperatorError(`${name} requires credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`);
  return { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}) };
}

/** For messages: without parameters. */
export const describeLocation = (location: FilesLocation): string =>
  location.kind === "folder" ? location.path : `s3://${location.bucket}/${location.prefix}`;
