import { chmod, mkdir, stat } from "node:fs/promises";
import { attachmentsDirectory, type Configuration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";
import { describeReason } from "../command-line/failure.ts";

/**
 * Makes the folder of this instance. Others may pass through it, because the database in it may have to run as another
 * user, but see nothing: the attachments are ours alone, and so is what the database keeps.
 */
export async function prepareDataFolder(configuration: Configuration): Promise<void> {
  const { dataDirectory } = configuration;
  try {
    if ((await mkdir(dataDirectory, { recursive: true, mode: 0o711 })) !== undefined) await chmod(dataDirectory, 0o711);
    if (!(await stat(dataDirectory)).isDirectory()) throw new Error("it is not a folder");
    await mkdir(attachmentsDirectory(configuration), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new OperatorError(
      `The data folder ${dataDirectory} cannot be used: ${describeReason(error)}. Choose one with DATA_DIR.`,
      {
        cause: error,
      },
    );
  }
}
