import { readFile } from "node:fs/promises";
import { isRoot } from "./folder.ts";
import { type Identity, runCommand } from "./run-command.ts";

export const currentUser: Identity = {
  description: "the user who started Steward",
  prefix: [],
  user: null,
  owner: null,
  ownsFolder: true,
};

type User = { name: string; uid: number; gid: number };

/**
 * The ways to run a command without root's identity, the best first.
 *
 * A user namespace changes nothing on the machine: inside, root is called nobody and has no power over other users'
 * files; outside, the files stay root's, so a folder that only root may enter is no obstacle. Where namespaces are off
 * (many containers), a system user has to own the cluster.
 */
export async function* listIdentities(clusterOwner: number | null, folderOwner: number): AsyncGenerator<Identity> {
  if (!isRoot()) {
    yield currentUser;
    return;
  }
  const users = await systemUsers();
  const byId = (uid: number | null) => users.find((user) => user.uid === uid);
  const byName = (name: string) => users.find((user) => user.name === name);
  const unprivileged = byName("nobody") ?? byName("daemon") ?? users[0];

  const former = byId(clusterOwner);
  if (former) yield systemUserIdentity(former, false);
  if (process.platform === "linux" && unprivileged) yield namespaceIdentity(unprivileged);
  const host = byId(folderOwner);
  if (host) yield systemUserIdentity(host, true);
  const service = byName("steward") ?? unprivileged ?? (await createUser());
  if (service) yield systemUserIdentity(service, false);
}

const namespaceIdentity = ({ name, uid, gid }: User): Identity => ({
  description: `a user namespace in which root is called ${name}`,
  prefix: ["unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--"],
  user: null,
  owner: { uid: 0, gid: 0 },
  ownsFolder: false,
});

const systemUserIdentity = ({ name, uid, gid }: User, ownsFolder: boolean): Identity => ({
  description: `the system user ${name}`,
  prefix: [],
  user: { uid, gid },
  owner: { uid, gid },
  ownsFolder,
});

// initdb and postgres look their own name up, so the user has to be in the list. Node takes ids up to 2^31 only, which
// leaves out macOS's nobody (-2).
async function systemUsers(): Promise<User[]> {
  const list = await readFile("/etc/passwd", "utf8").catch(() => "");
  return list
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== "" && uid > 0 && uid < 2 ** 31 && gid >= 0);
}

async function createUser(): Promise<User | undefined> {
  await runCommand("useradd", ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "steward"]);
  return (await systemUsers()).find((user) => user.name === "steward");
}
