import type { Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { Identities } from "./identities.ts";
import { recordSecurityEvent } from "./security-trail.ts";
import { handleAddressChange } from "./sessions/address-change.ts";
import { endAccess } from "./sessions/end-access.ts";

// Reacts to changes that concern access, in the transaction of the change.

/**
 * The cached accounts hold their customers' SLAs as well. Triggers notify every process, also this one, but a moment
 * after the response: who changed it must not read what was before.
 */
export const watchAccounts =
  (identities: Identities) =>
  (tx: Transaction, _by: Caller | null, { type, changes }: ChangeEvent): void => {
    if (type.name === "account" || (type.name === "sla" && "customer_account" in changes))
      tx.afterCommit(() => identities.invalidate());
  };

/**
 * Disabling a person ends their sessions and deletes the tokens of applications. Personal access tokens are only refused
 * while the person is disabled, so that scripts work again afterwards without new tokens.
 */
export const watchPeople =
  (identities: Identities, now: () => Date) =>
  async (tx: Transaction, by: Caller | null, { type, id, account, changes }: ChangeEvent): Promise<void> => {
    if (type.name !== "person") return;
    const person = by?.person ?? null;
    if ("roles" in changes) {
      const [before, after] = changes.roles as unknown as [readonly string[], readonly string[]];
      const details = { person: id, before, after };
      recordSecurityEvent(tx, now().toISOString(), { account, person, event: "roles-changed", details });
      tx.afterCommit(() => identities.invalidate());
    }
    const [oldAddress, address] = changes.primary_email ?? [];
    if (typeof oldAddress === "string" && typeof address === "string" && by?.changeOrigin.kind !== "privacy") {
      const suppressMail = by?.suppressMail === true;
      await handleAddressChange(tx, now(), { person: id, before: oldAddress, after: address, suppressMail });
    }
    if (changes.disabled?.[1] !== true) return;
    recordSecurityEvent(tx, now().toISOString(), {
      account,
      person,
      event: "person-disabled",
      details: { person: id },
    });
    tx.afterCommit(() => identities.invalidate());
    await endAccess(tx, id, { includesPersonalTokens: false });
  };
