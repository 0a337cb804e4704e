import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { register } from "../../../records/index.ts";
import type { Configuration } from "../../base/configuration.ts";
import { Rules } from "../../engine/rules.ts";
import { Types } from "../../engine/types.ts";
import { typeRules } from "../../rules/index.ts";
import { describeReason } from "../command-line/failure.ts";
import { getServerUrl } from "../serve/welcome.ts";
import { type Finding, ok, problem } from "./finding.ts";

const minNodeVersion = 24;
const minFreeBytes = 500 * 1024 * 1024;
const probeTimeout = 3000;

export function checkNode(version = process.versions.node): Finding {
  const isNew = Number.parseInt(version, 10) >= minNodeVersion;
  return isNew
    ? ok("Node.js", version)
    : problem("Node.js", `${version} is too old. Start with npm, which uses the pinned version ${minNodeVersion}.`);
}

export function checkDeclarations(): Finding {
  try {
    new Types(register, new Rules(typeRules));
    return ok("declarations", `${register.length} record types, consistent`);
  } catch (error) {
    return problem("declarations", describeReason(error));
  }
}

export async function checkDataFolder({ dataDirectory }: Configuration): Promise<Finding> {
  const subject = "data folder";
  try {
    await access(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return problem(
      subject,
      isMissing
        ? `${dataDirectory} does not exist. Start Steward once, or set DATA_DIR to your data directory.`
        : `${dataDirectory} is not writable: ${describeReason(error)}. Make the user who runs Steward its owner.`,
    );
  }
  const { bavail, bsize } = await statfs(dataDirectory);
  const free = `${Math.floor((bavail * bsize) / 1024 / 1024)} MB free`;
  return bavail * bsize < minFreeBytes
    ? problem(subject, `${dataDirectory} has only ${free}. Free some space before the database runs out.`)
    : ok(subject, `${dataDirectory}, ${free}`);
}

/** The port must be free, or served by Steward. */
export async function checkPort(configuration: Configuration): Promise<{ finding: Finding; isServed: boolean }> {
  const { host, port } = configuration;
  const place = `${port} of ${host}`;
  const answer = await probeServer({ ...configuration, publicUrl: null });
  if (answer === "refused") return { finding: ok("port", `${place} is free`), isServed: false };
  if (answer === "Steward") return { finding: ok("port", `${place} is served by Steward`), isServed: true };
  const advice = "Stop it, or set PORT to another port.";
  return { finding: problem("port", `${place} is in use by another program. ${advice}`), isServed: false };
}

function probeServer(configuration: Configuration): Promise<"Steward" | "refused" | "other"> {
  const url = `${getServerUrl(configuration)}/health/live`;
  return new Promise((resolve) => {
    const readResponse = (response: IncomingMessage) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.length > 1000) response.destroy();
      });
      response.on("close", () => resolve(text === '{"status":"live"}' ? "Steward" : "other"));
    };
    const options = { timeout: probeTimeout, agent: false };
    const request =
      configuration.tls === null
        ? httpRequest(url, options, readResponse)
        : httpsRequest(url, { ...options, rejectUnauthorized: false }, readResponse); // only whether Steward answers matters
    request.on("timeout", () => request.destroy(new Error("no response")));
    request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED" ? "refused" : "other"));
    request.end();
  });
}
