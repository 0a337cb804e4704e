import { isDeepStrictEqual } from "node:util";
import { getFilesLocation } from "../base/configuration.ts";
import { OperatorError } from "../base/errors.ts";
import { describeLocation, type FilesLocation, parseFilesUrl } from "../base/files-location.ts";
import { moveFiles, openStore } from "../files/index.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";

const reportEvery = 1000;

export const filesMove = defineCommand({
  name: "files move",
  summary: "Move all files to another store: from a folder to a bucket, or back.",
  details:
    "First set FILES_URL to the new store and FILES_FALLBACK_URL to the old one, and restart all servers. They write to the\n" +
    "new store and read from both. Then run this command with the same settings; the servers can keep running. If it is\n" +
    "interrupted, run it again. Each file is read back and its SHA-256 checksum verified before it is removed from\n" +
    "the old store. When it is done, remove FILES_FALLBACK_URL and restart the servers.",
  options: {
    to: { value: "URL", required: true, help: "new store, same as FILES_URL" },
    keep: { help: "keep the files in the old store" },
  },
  example: `${program} files move --to "s3://steward-files?region=eu-central-1"`,
  async run({ to, keep }, terminal) {
    const configuration = loadConfiguration(terminal);
    const { filesFallback } = configuration;
    const files = getFilesLocation(configuration);
    const wanted = parseFilesUrl("--to", to, terminal.env);
    if (!isSamePlace(wanted, files))
      throw new OperatorError(
        `FILES_URL is ${describeLocation(files)}, not ${describeLocation(wanted)}. Set it to the new store first, and restart the servers.`,
      );
    if (filesFallback === null || isSamePlace(filesFallback, files))
      throw new OperatorError("Set FILES_FALLBACK_URL to the old store, for the servers and for this command.");
    const [target, source] = [openStore(files, configuration), openStore(filesFallback, configuration)];
    await target.check();
    const { moved, present, gone, bytes } = await moveFiles({
      ...{ from: source, to: target, isKept: keep },
      report(summary) {
        const count = summary.moved + summary.present;
        if (count > 0 && count % reportEvery === 0) terminal.say(`${count} files so far`);
      },
    });
    terminal.print(
      `${moved} files (${Math.ceil(bytes / 1024)} KB) moved to ${describeLocation(files)}. Already there: ${present}. Deleted in the meantime: ${gone}.`,
    );
    return 0;
  },
});

const isSamePlace = (one: FilesLocation, other: FilesLocation): boolean =>
  one.kind === "s3" && other.kind === "s3"
    ? isDeepStrictEqual([one.bucket, one.prefix, one.endpoint], [other.bucket, other.prefix, other.endpoint])
    : isDeepStrictEqual(one, other);
