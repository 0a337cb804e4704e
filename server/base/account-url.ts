import type { Configuration } from "./configuration.ts";

// ACCOUNT_URL gives every account a host of its own. Without it, an account is a folder of the instance.

type Hosts = Pick<Configuration, "accountUrl" | "publicUrl">;

const placeholder = "{account}";

/** The address of an account, without a slash at its end. */
export const buildAccountUrl = ({ accountUrl }: Hosts, origin: string, account: string): string =>
  accountUrl === null ? `${origin}/a/${account}` : accountUrl.replace(placeholder, () => account);

/** The account whose host that is; null: the host is none of an account. */
export function findAccountOfHost({ accountUrl, publicUrl }: Hosts, host: string): string | null {
  if (accountUrl === null) return null;
  const name = host.toLowerCase();
  // https://{account}.example.com fits the instance itself at https://desk.example.com, too.
  if (publicUrl !== null && new URL(publicUrl).host === name) return null;
  const pattern = accountUrl.toLowerCase().replace(/^https?:\/\//, "");
  const [before = "", after = ""] = pattern.split(placeholder);
  if (!name.startsWith(before) || !name.endsWith(after)) return null;
  const account = name.slice(before.length, name.length - after.length);
  return /^[a-z0-9_-]{1,60}$/.test(account) ? account : null;
}
