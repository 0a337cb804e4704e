import cluster from "node:cluster";
import { accessSync, constants } from "node:fs";
import { createServer } from "node:net";
import { getTrustedProxies } from "../../api/http/origin.ts";
import type { Configuration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";
import { describeReason } from "../command-line/failure.ts";

/** Fails early on settings that are used only later. */
export function checkSettings(configuration: Configuration): void {
  getTrustedProxies(configuration);
  const { tls, archive, databaseUrl } = configuration;
  // Workers get the address of the embedded database from the first process, which has checked this.
  if (archive !== null && databaseUrl !== null && cluster.isPrimary)
    throw new OperatorError(
      "ARCHIVE_URL works only with the embedded database. With DATABASE_URL, set up archiving in PostgreSQL (see docs/operations.md).",
    );
  for (const [name, file] of tls === null ? [] : [["TLS_CERT", tls.cert] as const, ["TLS_KEY", tls.key] as const])
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      throw new OperatorError(`Can't read ${name}: ${describeReason(error)}.`, { cause: error });
    }
}

/** Checked before anything is created. Another program may still take the port before the server listens. */
export async function requireFreePort(configuration: Configuration): Promise<void> {
  const { host, port } = configuration;
  if (port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => reject(explainListenError(error, configuration)));
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}

export function explainListenError(error: unknown, { host, port }: Configuration): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const explain = (text: string) => new OperatorError(text, { cause: error });
  if (code === "EADDRINUSE")
    return explain(`Port ${port} on ${host} is already in use. Stop the other program, or set PORT to another port.`);
  if (code === "EACCES") return explain(`No permission to use port ${port}. Set PORT to a port above 1023.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return explain(`${host} is not an address of this machine. Set HOST to another address.`);
  return error;
}
