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
  summary: "Move all files to another place: from a folder to a bucket, or back.",
  details:
    "First set FILES_URL to the new place and FILES_FALLBACK_URL to the old one, and restart all servers: they write to\n" +
    "the new place and find files in both. Then run this with the same settings; the servers go on working. A run that\n" +
    "was interrupted is simply begun again. Every file is read back and compared by its SHA-256 checksum before it is\n" +
    "removed from the old place. Afterwards remove FILES_FALLBACK_URL and restart the servers.",
  options: {
    to: { value: "URL", required: true, help: "the new place, as in FILES_URL" },
    keep: { help: "also leave the files in the old place" },
  },
  example: `${program} files move --to "s3://steward-files?region=eu-central-1"`,
  async run({ to, keep }, terminal) {
    const configuration = loadConfiguration(terminal);
    const { filesFallback } = configuration;
    const files = getFilesLocation(configuration);
    const wanted = parseFilesUrl("--to", to, terminal.env);
    if (!isSamePlace(wanted, files))
      throw new OperatorError(
        `FILES_URL is ${describeLocation(files)}, not ${describeLocation(wanted)}: set it to the new place first, and restart the servers.`,
      );
    if (filesFallback === null || isSamePlace(filesFallback, files))
      throw new OperatorError("Set FILES_FALLBACK_URL to the old place, for the servers and for this command.");
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
      `${moved} files (${Math.ceil(bytes / 1024)} KB) moved to ${describeLocation(files)}; ${present} were there already, ${gone} were deleted meanwhile.`,
    );
    return 0;
  },
});

const isSamePlace = (one: FilesLocation, other: FilesLocation): boolean =>
  one.kind === "s3" && other.kind === "s3"
    ? isDeepStrictEqual([one.bucket, one.prefix, one.endpoint], [other.bucket, other.prefix, other.endpoint])
    : isDeepStrictEqual(one, other);
