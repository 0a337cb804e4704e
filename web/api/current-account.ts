import { createContext, useContext } from "react";
import type { AccessOperation } from "../../records/people/grants.ts";
import { isAdministrator, may } from "../base/permissions.ts";
import type { TypeEntry } from "../base/type-index.ts";
import { recordsApi } from "./index.ts";
import type { WhoAmI } from "./session.ts";

// The signed-in person and the current account, available to everything below the shell.

export type CurrentAccount = { who: WhoAmI; account: WhoAmI["accounts"][number] };

export const CurrentAccountContext = createContext<CurrentAccount | null>(null);

export function useCurrentAccount() {
  const here = useContext(CurrentAccountContext);
  if (here === null) throw new Error("used outside the shell");
  const { who, account } = here;
  return {
    who,
    account,
    api: recordsApi(account.id),
    may: (operation: AccessOperation, type: TypeEntry) => may(account.roles, operation, type),
    isAdministrator: isAdministrator(account.roles),
  };
}
