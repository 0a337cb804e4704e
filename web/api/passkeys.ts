// Passkeys are stored in the browser or on a device near it; a page requests them from the browser.

/** Passkeys are unavailable over plain HTTP and in old browsers. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** Created by the server in the form that browsers parse, so both functions pass them on unchanged. */
type CredentialOptions = { readonly challenge: string };

function toJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new Error("The browser returned no passkey.");
}

/** Rejects when the person cancels, or the device has no passkey for this page. */
export async function createPasskey(options: CredentialOptions): Promise<unknown> {
  // The browser validates the members of the options.
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return toJson(await navigator.credentials.create({ publicKey }));
}

export async function findPasskey(options: CredentialOptions): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toJson(await navigator.credentials.get({ publicKey }));
}
