import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

// A software authenticator (WebAuthn, ES256, no attestation). Tests can forge every part of its responses.

const base64url = (bytes: Buffer): string => bytes.toString("base64url");
const sha256 = (data: Buffer | string): Buffer => createHash("sha256").update(data).digest();

/** Encodes the CBOR types of an attestation: small numbers, texts, bytes, maps. */
function encode(value: number | string | Buffer | Map<unknown, unknown>): Buffer {
  const head = (major: number, size: number): Buffer =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([name, each]) => [encode(name as string), encode(each as string)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

export type Forgery = { origin?: string; rpId?: string; counter?: number; flags?: number; userHandle?: string };

type Options = { challenge: string; rpId?: string; rp?: { id?: string }; user?: { id: string } };

const [present, verified, attested] = [1, 4, 64];

export class SoftwarePasskey {
  readonly id = base64url(randomBytes(32));
  counter = 0;
  private readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  private userHandle = "";
  private readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  private buildClientData(type: string, challenge: string, { origin = this.origin }: Forgery): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private buildAuthenticatorData(rpId: string, { counter = ++this.counter, flags }: Forgery, more?: Buffer): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const bits = flags ?? present | verified | (more === undefined ? 0 : attested);
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), count, ...(more === undefined ? [] : [more])]);
  }

  create(options: Options, forged: Forgery = {}): unknown {
    const { x = "", y = "" } = this.keys.publicKey.export({ format: "jwk" });
    this.userHandle = options.user?.id ?? "";
    const key = encode(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
    const credential = Buffer.from(this.id, "base64url");
    const more = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credential.length]), credential, key]);
    const authData = this.buildAuthenticatorData(forged.rpId ?? options.rp?.id ?? "", forged, more);
    const attestation = encode(
      new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]),
    );
    return this.wrap({
      clientDataJSON: base64url(this.buildClientData("webauthn.create", options.challenge, forged)),
      attestationObject: base64url(attestation),
      transports: ["internal"],
    });
  }

  get(options: Options, forged: Forgery = {}): unknown {
    const clientData = this.buildClientData("webauthn.get", options.challenge, forged);
    const authData = this.buildAuthenticatorData(forged.rpId ?? options.rpId ?? "", forged);
    const signature = createSign("sha256")
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.keys.privateKey);
    return this.wrap({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      userHandle: forged.userHandle ?? this.userHandle,
    });
  }

  private wrap(response: Record<string, unknown>): unknown {
    return { id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {}, response };
  }
}
