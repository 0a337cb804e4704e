import { Forbidden } from "../../base/errors.ts";
import type { Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { isInNetworks } from "./networks.ts";
import type { SessionMethod } from "./policy-members.ts";

// Whether the account of a person lets a session begin. Sign-in asks before the second step, and every session when it begins.

const refusals = {
  method: "Your organization doesn't allow this sign-in method.",
  network: "Your organization doesn't allow sign-in from this network.",
} as const;

/** The message is for the person who signs in. */
export class SessionRefused extends Forbidden {
  constructor(reason: keyof typeof refusals) {
    super(refusals[reason]);
  }
}

export type SignInWay = { method: SessionMethod; address: string };

export async function requireSignInAllowed(
  oauth: Oauth,
  person: { id: number; account: string },
  { method, address }: SignInWay,
): Promise<void> {
  const policy = await oauth.identities.getPolicy(person.account);
  const reason =
    method !== "emergency" && !policy.sign_in_methods.includes(method)
      ? "method"
      : isInNetworks(policy.web_networks, address)
        ? null
        : "network";
  if (reason === null) return;
  await oauth.database.transaction(async (tx) =>
    recordSecurityEvent(tx, oauth.clock.now().toISOString(), {
      ...{ account: person.account, person: person.id, event: "sign-in-failed" as const, address },
      details: { refused: reason, method },
    }),
  );
  throw new SessionRefused(reason);
}
