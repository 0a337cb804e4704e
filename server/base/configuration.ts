import { isIP } from "node:net";
import { join, resolve } from "node:path";
import type { AdmissionLimits } from "./admission.ts";
import { OperatorError } from "./errors.ts";
import { type FilesLocation, parseFilesUrl } from "./files-location.ts";

// Every setting comes from the environment; docs/operations.md lists them.

export type Configuration = {
  host: string;
  port: number;
  /** processes that serve the port */
  workers: number;
  /** how long a server that is stopping keeps serving while it reports that it is not ready */
  drainSeconds: number;
  publicUrl: string | null;
  /** the address of an account, with {account} for its id; null: a folder of the instance */
  accountUrl: string | null;
  dataDirectory: string;
  /** where attachments and the files of imports and exports are; null: in a folder of the data folder */
  files: FilesLocation | null;
  /** where files are that have not been moved yet */
  filesFallback: FilesLocation | null;
  /** where the log of the embedded database is archived; null: nowhere */
  archive: FilesLocation | null;
  /** bytes that must be free on the disk of the data folder for the service to be ready */
  minFreeDisk: number;
  databaseUrl: string | null;
  /** how many connections to the database this server may open; of a worker: its share. null: as many as the database allows */
  databaseConnections: number | null;
  /** into how many partitions the growing tables of a new database are divided; 0: into none */
  partitions: number;
  /** servers that follow the database and may answer reads of many rows */
  replicaUrls: readonly string[];
  environment: "production" | "qa" | "demo";
  rateLimit: number;
  rateBurst: Rate;
  /** of a SCIM token */
  scimRateLimit: number;
  scimRateBurst: Rate;
  /** points per person and hour that calls of the graph may cost; 0: unlimited */
  costLimit: number;
  /** how long a call of the graph may take */
  graphqlSeconds: number;
  admission: AdmissionLimits & {
    /** a connection whose client neither reads nor sends for so long is closed; 0: never */
    stallSeconds: number;
  };
  tls: { cert: string; key: string } | null;
  trustProxy: string[];
  metricsToken: string | null;
  mail: { url: string; from: string } | null;
  /** emails per person and hour; further notifications are combined in a digest */
  notificationsPerHour: number;
  inboundMail: {
    host: string;
    /** null: no mail is received over SMTP */
    port: number | null;
    /** bytes of one message */
    size: number;
    /** how many emails of one sender may become requests within an hour */
    perHour: number;
    /** names of mail servers whose Authentication-Results are trusted */
    trusted: readonly string[];
  };
  /** whether the demo company comes with three months of work */
  demoWork: boolean;
  /** address ranges that webhooks may be sent to, in addition to public addresses */
  webhookAllow: string;
};

function parseWholeNumber(name: string, text: string | undefined, fallback: number, max: number): number {
  if (text === undefined || text === "") return fallback;
  if (!/^\d{1,9}$/.test(text) || Number(text) > max)
    throw new OperatorError(`${name} must be a whole number up to ${max}, not "${text}".`);
  return Number(text);
}

const megabyte = 1_048_576;

type Rate = { requests: number; seconds: number } | null;

function parseRate(name: string, text: string | undefined, fallback: Rate): Rate {
  if (text === undefined || text === "") return fallback;
  if (text === "0") return null;
  const match = /^(\d{1,6})\/(\d{1,4})$/.exec(text);
  if (match === null || Number(match[1]) < 1 || Number(match[2]) < 1)
    throw new OperatorError(`${name} must look like 20/2 (requests/seconds) or be 0, not "${text}".`);
  return { requests: Number(match[1]), seconds: Number(match[2]) };
}

/** RATE_LIMIT=0 also removes the limits of calls, unless they are set; the memory is protected in any case. */
function readAdmission(env: Record<string, string | undefined>, hasRateLimit: boolean): Configuration["admission"] {
  const bytes = parseWholeNumber("MEMORY_FOR_CALLS", env.MEMORY_FOR_CALLS, 64, 100_000) * megabyte;
  return {
    connectionsPerAddress: parseWholeNumber(
      "CONNECTIONS_PER_ADDRESS",
      env.CONNECTIONS_PER_ADDRESS,
      hasRateLimit ? 4000 : 0,
      1_000_000,
    ),
    callsPerAddress: parseWholeNumber("CALLS_PER_ADDRESS", env.CALLS_PER_ADDRESS, hasRateLimit ? 200 : 0, 1_000_000),
    callsPerPerson: parseWholeNumber("CALLS_PER_PERSON", env.CALLS_PER_PERSON, hasRateLimit ? 40 : 0, 1_000_000),
    bytes,
    bytesPerAddress: bytes / 4,
    rate: parseRate("ADDRESS_RATE", env.ADDRESS_RATE, hasRateLimit ? { requests: 600, seconds: 10 } : null),
    stallSeconds: parseWholeNumber("STALL_SECONDS", env.STALL_SECONDS, 20, 3600),
  };
}

const parseList = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** MAIL_PORT and related settings. */
function readInboundMail(env: Record<string, string | undefined>): Configuration["inboundMail"] {
  const size = parseWholeNumber("MAIL_SIZE", env.MAIL_SIZE, 25, 100);
  if (size === 0) throw new OperatorError("MAIL_SIZE must be at least 1 (megabytes per email).");
  return {
    host: env.MAIL_HOST || env.HOST || "127.0.0.1",
    port: env.MAIL_PORT ? parseWholeNumber("MAIL_PORT", env.MAIL_PORT, 0, 65_535) : null,
    size: size * megabyte,
    perHour: parseWholeNumber("MAIL_PER_HOUR", env.MAIL_PER_HOUR, 60, 1_000_000),
    trusted: parseList(env.MAIL_TRUSTED_AUTHSERV).map((name) => name.toLowerCase()),
  };
}

function parsePublicUrl(text: string | undefined): string | null {
  if (text === undefined || text === "") return null;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new OperatorError(`PUBLIC_URL must be an absolute URL such as https://desk.example.com, not "${text}".`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new OperatorError("PUBLIC_URL must begin with http:// or https://.");
  return text.replace(/\/+$/, "");
}

/** ACCOUNT_URL: a scheme and a host that contains {account} once. */
function parseAccountUrl(text: string | undefined): string | null {
  if (text === undefined || text === "") return null;
  if (!/^https?:\/\/[a-z0-9.-]*\{account\}[a-z0-9.-]*(:\d{1,5})?\/?$/i.test(text))
    throw new OperatorError(`ACCOUNT_URL must look like https://{account}.desk.example.com, not "${text}".`);
  return text.replace(/\/$/, "");
}

/** WEBHOOK_ALLOW, for example 10.0.0.0/8,192.168.7.0/24; the demo permits loopback unless it is set. */
function parseRanges(text: string | undefined): string | null {
  if (text === undefined) return null;
  for (const part of text.split(",").map((each) => each.trim()))
    if (part !== "" && !isRange(part))
      throw new OperatorError(
        `WEBHOOK_ALLOW must be a list of ranges such as 10.0.0.0/8, separated by commas, not "${part}".`,
      );
  return text;
}

function isRange(text: string): boolean {
  const [address = "", bits = ""] = text.split("/");
  return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128);
}

/** SMTP_URL, for example smtp://user:secret@mail.example.com:587; MAIL_FROM is the sender. */
function parseMailServer(text: string | undefined, sender: string | undefined): Configuration["mail"] {
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "")
    throw new OperatorError(
      "SMTP_URL must look like smtp://user:password@mail.example.com:587, or begin with smtps://.",
    );
  const from = sender || `steward@${url.hostname}`;
  if (!/^[^\s<>"@]+@[^\s<>"@]+$/.test(from)) throw new OperatorError("MAIL_FROM must be an email address.");
  return { url: text, from };
}

/** PARTITIONS: one would be a table that is divided for nothing. */
function parsePartitions(text: string | undefined): number {
  const partitions = parseWholeNumber("PARTITIONS", text, 0, 64);
  if (partitions === 1) throw new OperatorError("PARTITIONS must be 0 or a whole number from 2 to 64.");
  return partitions;
}

/** DATABASE_REPLICA_URLS: addresses, separated by commas or spaces. */
function parseReplicaUrls(text: string | undefined): string[] {
  const urls = (text ?? "").split(/[\s,]+(?=postgres(?:ql)?:)/).filter((url) => url.trim() !== "");
  for (const url of urls)
    if (!/^postgres(ql)?:\/\/\S+$/.test(url))
      throw new OperatorError(
        "DATABASE_REPLICA_URLS must be URLs such as postgres://user:password@host/database, separated by commas.",
      );
  return urls;
}

export function readConfiguration(env: Record<string, string | undefined> = process.env): Configuration {
  const environment = env.ENVIRONMENT || "demo";
  if (environment !== "production" && environment !== "qa" && environment !== "demo")
    throw new OperatorError(`ENVIRONMENT must be production, qa or demo, not "${environment}".`);
  if (Boolean(env.TLS_CERT) !== Boolean(env.TLS_KEY))
    throw new OperatorError("Set both TLS_CERT and TLS_KEY, or neither.");
  const rateLimit = parseWholeNumber("RATE_LIMIT", env.RATE_LIMIT, 3600, 999_999_999);
  return {
    host: env.HOST || "127.0.0.1",
    port: parseWholeNumber("PORT", env.PORT, 8080, 65_535),
    workers: Math.max(1, parseWholeNumber("WORKERS", env.WORKERS, 1, 64)),
    drainSeconds: parseWholeNumber("DRAIN_SECONDS", env.DRAIN_SECONDS, 0, 600),
    publicUrl: parsePublicUrl(env.PUBLIC_URL),
    accountUrl: parseAccountUrl(env.ACCOUNT_URL),
    dataDirectory: resolve(env.DATA_DIR || "./data"),
    files: env.FILES_URL ? parseFilesUrl("FILES_URL", env.FILES_URL, env) : null,
    filesFallback: env.FILES_FALLBACK_URL ? parseFilesUrl("FILES_FALLBACK_URL", env.FILES_FALLBACK_URL, env) : null,
    archive: env.ARCHIVE_URL ? parseFilesUrl("ARCHIVE_URL", env.ARCHIVE_URL, env) : null,
    minFreeDisk: parseWholeNumber("MIN_FREE_DISK", env.MIN_FREE_DISK, 64, 999_999_999) * megabyte,
    databaseUrl: env.DATABASE_URL || null,
    databaseConnections: parseWholeNumber("DATABASE_CONNECTIONS", env.DATABASE_CONNECTIONS, 0, 100_000) || null,
    partitions: parsePartitions(env.PARTITIONS),
    replicaUrls: parseReplicaUrls(env.DATABASE_REPLICA_URLS),
    environment,
    rateLimit,
    costLimit: parseWholeNumber("COST_LIMIT", env.COST_LIMIT, 5000, 999_999_999),
    graphqlSeconds: Math.max(1, parseWholeNumber("GRAPHQL_SECONDS", env.GRAPHQL_SECONDS, 30, 600)),
    rateBurst: parseRate("RATE_BURST", env.RATE_BURST, { requests: 20, seconds: 2 }),
    scimRateLimit: parseWholeNumber("SCIM_RATE_LIMIT", env.SCIM_RATE_LIMIT, 90_000, 999_999_999),
    scimRateBurst: parseRate("SCIM_RATE_BURST", env.SCIM_RATE_BURST, { requests: 100, seconds: 2 }),
    admission: readAdmission(env, rateLimit > 0),
    tls: env.TLS_CERT && env.TLS_KEY ? { cert: env.TLS_CERT, key: env.TLS_KEY } : null,
    trustProxy: parseList(env.TRUST_PROXY),
    metricsToken: env.METRICS_TOKEN || null,
    mail: parseMailServer(env.SMTP_URL, env.MAIL_FROM),
    notificationsPerHour: parseWholeNumber("NOTICES_PER_HOUR", env.NOTICES_PER_HOUR, 60, 100_000),
    inboundMail: readInboundMail(env),
    demoWork: env.DEMO_WORK !== "0",
    webhookAllow: parseRanges(env.WEBHOOK_ALLOW) ?? (environment === "demo" ? "127.0.0.0/8,::1/128" : ""),
  };
}

export const attachmentsDirectory = (configuration: Configuration) => join(configuration.dataDirectory, "attachments");
export const getFilesLocation = (configuration: Configuration): FilesLocation =>
  configuration.files ?? { kind: "folder", path: attachmentsDirectory(configuration) };
export const databaseDirectory = (configuration: Configuration) => join(configuration.dataDirectory, "postgres");
