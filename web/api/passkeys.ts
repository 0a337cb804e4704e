// Passkeys live in the browser or in a device beside it; this is how a page asks for them.

/** Over plain HTTP, and in old browsers, there are none. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** What the server sends along, and wants back. */
export type PasskeyQuestion<Options> = { options: Options; challenge: string };

/** Rejects when the person cancels, or the device has no passkey for this page. */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON();
}

export async function findPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON();
}
