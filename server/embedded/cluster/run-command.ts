import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

/** The identity of initdb and postgres. PostgreSQL refuses to run as root, so root has to switch to another user. */
export type Identity = {
  description: string;
  /** Prefix of the command line. */
  prefix: string[];
  /** The user to switch to when the command starts. */
  user: { uid: number; gid: number } | null;
  /** The owner of the cluster's files; null: the current user. */
  owner: { uid: number; gid: number } | null;
  /** The whole data folder belongs to that user, not only the cluster in it. */
  ownsFolder: boolean;
};

export type CommandResult = { code: number | null; output: string };

// Our environment contains secrets and may contain PG* variables: the database gets neither.
const inheritedVariables = ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT"];

const buildEnvironment = () =>
  Object.fromEntries(
    [["LC_ALL", "C"], ...inheritedVariables.map((name) => [name, process.env[name]])].filter(([, v]) => v),
  );

export function spawnAs(identity: Identity | null, program: string, args: string[], options: SpawnOptions) {
  const [command = program, ...rest] = [...(identity?.prefix ?? []), program, ...args];
  return spawn(command, rest, { ...options, ...identity?.user, env: buildEnvironment(), windowsHide: true });
}

/** Runs a command to its end and returns its output. A command that cannot be started has code null. */
export async function runCommand(
  program: string,
  args: string[],
  as?: { identity: Identity; cwd: string },
): Promise<CommandResult> {
  let child: ChildProcess;
  try {
    child = spawnAs(as?.identity ?? null, program, args, { cwd: as?.cwd, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    return { code: null, output: (error as Error).message };
  }
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, output: error.message }));
    child.once("close", (code) => resolve({ code, output: output.trim() }));
  });
}
