import { createContext, useContext } from "react";
import type { Operation } from "../records/people/roles.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { records } from "./api.ts";
import { isAdministrator, may } from "./permissions.ts";
import type { WhoAmI } from "./wire.ts";

// Who is there and which account they work in: known to everything below the shell.

export type Here = { who: WhoAmI; account: { id: string; name: string; roles: readonly string[] } };

export const HereContext = createContext<Here | null>(null);

export function useHere() {
  const here = useContext(HereContext);
  if (here === null) throw new Error("used outside the shell");
  const { who, account } = here;
  return {
    who,
    account,
    api: records(account.id),
    may: (operation: Operation, type: RecordType) => may(account.roles, operation, type),
    isAdministrator: isAdministrator(account.roles),
  };
}
