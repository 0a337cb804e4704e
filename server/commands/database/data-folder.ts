import { chmod, mkdir, stat } from "node:fs/promises";
import { attachmentsDirectory, type Configuration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";
import { describeReason } from "../command-line/failure.ts";

/**
 * Creates the data folder. Other users may traverse it, because the database may have to run as another user, but may not
 * list it; attachments and database files are readable by their owner only.
 */
export async function prepareDataFolder(configuration: Configuration): Promise<void> {
  const { dataDirectory } = configuration;
  try {
    if ((await mkdir(dataDirectory, { recursive: true, mode: 0o711 })) !== undefined) await chmod(dataDirectory, 0o711);
    if (!(await stat(dataDirectory)).isDirectory()) throw new Error("it is not a folder");
    await mkdir(attachmentsDirectory(configuration), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new OperatorError(
      `Can't use the data folder ${dataDirectory}: ${describeReason(error)}. Set DATA_DIR to another folder.`,
      {
        cause: error,
      },
    );
  }
}
