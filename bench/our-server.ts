import { readConfiguration } from "../server/base/configuration.ts";
import { jsonLog } from "../server/base/log.ts";
import { assembleService } from "../server/service.ts";

const service = await assembleService({
  configuration: { ...readConfiguration(), port: 0 },
  databaseUrl: process.env.DATABASE_URL as string,
  log: jsonLog((line) => process.stderr.write(line)),
});
console.log(await service.start());

process.on("SIGTERM", () => process.exit(0));
