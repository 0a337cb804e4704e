import { requireAdministrator } from "../../../oauth/account-access.ts";
import type { Call } from "../../http/route.ts";

/** The account of the call; 403 for everyone except its administrators. */
export function requireAdministeredAccount({ caller }: Call): string {
  requireAdministrator(caller.me, caller.account);
  return caller.account;
}
