// Passkeys are stored in the browser or on a device near it; a page asks the browser for them.

/** Over plain HTTP, and in old browsers, there are none. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** From the server. It makes them in the form that browsers parse, so both functions hand them on as they are. */
type CredentialOptions = { readonly challenge: string };

function toJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new Error("The browser returned no passkey.");
}

/** Rejects when the person cancels, or the device has no passkey for this page. */
export async function createPasskey(options: CredentialOptions): Promise<unknown> {
  // The browser checks the members of the options itself.
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return toJson(await navigator.credentials.create({ publicKey }));
}

export async function findPasskey(options: CredentialOptions): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toJson(await navigator.credentials.get({ publicKey }));
}
