// Sample code that verifies the signature of a message. A policy with a shared secret signs by HMAC, one with a key
// pair by RSA or ECDSA; without a policy, messages aren't signed.

export const verifierLanguages = ["Node.js", "Python", "Java", "Go", "PHP"] as const;
export type VerifierLanguage = (typeof verifierLanguages)[number];

/** `alg` as in the policy: hs256, rs256, es256. */
export function buildVerifierCode(language: VerifierLanguage, alg: string): string {
  const name = alg.toUpperCase();
  const isShared = alg.startsWith("hs");
  const key = isShared ? "the shared secret" : "the public key (PEM)";
  switch (language) {
    case "Node.js":
      return `// npm install jose
import { ${isShared ? "" : "importSPKI, "}jwtVerify } from "jose";

const KEY = process.env.WEBHOOK_KEY; // ${key}
export async function verify(body) {
  const key = ${isShared ? "new TextEncoder().encode(KEY)" : `await importSPKI(KEY, "${name}")`};
  const { payload } = await jwtVerify(JSON.parse(body).jwt, key, { algorithms: ["${name}"] });
  return payload.data; // the message
}`;
    case "Python":
      return `# pip install "pyjwt[crypto]"
import json, os, jwt

KEY = os.environ["WEBHOOK_KEY"]  # ${key}

def verify(body: str) -> dict:
    claims = jwt.decode(json.loads(body)["jwt"], KEY, algorithms=["${name}"],
                        options={"verify_aud": False})
    return claims["data"]  # the message`;
    case "Java":
      return `// com.nimbusds:nimbus-jose-jwt
import com.nimbusds.jose.crypto.*;
import com.nimbusds.jose.jwk.*;
import com.nimbusds.jwt.SignedJWT;

static Object verify(String jwt, String key) throws Exception { // ${key}
  var token = SignedJWT.parse(jwt);
  var verifier = ${isShared ? "new MACVerifier(key)" : name.startsWith("RS") ? "new RSASSAVerifier(JWK.parseFromPEMEncodedObjects(key).toRSAKey())" : "new ECDSAVerifier(JWK.parseFromPEMEncodedObjects(key).toECKey())"};
  if (!token.getHeader().getAlgorithm().getName().equals("${name}") || !token.verify(verifier))
    throw new SecurityException("signature");
  return token.getJWTClaimsSet().getClaim("data"); // the message
}`;
    case "Go":
      return `// github.com/golang-jwt/jwt/v5
func verify(body []byte, pem []byte) (any, error) { // ${key}
	var sent struct{ JWT string }
	if err := json.Unmarshal(body, &sent); err != nil {
		return nil, err
	}
	token, err := jwt.Parse(sent.JWT, func(*jwt.Token) (any, error) {
		return ${isShared ? "pem, nil" : name.startsWith("RS") ? "jwt.ParseRSAPublicKeyFromPEM(pem)" : "jwt.ParseECPublicKeyFromPEM(pem)"}
	}, jwt.WithValidMethods([]string{"${name}"}))
	if err != nil {
		return nil, err
	}
	return token.Claims.(jwt.MapClaims)["data"], nil // the message
}`;
    case "PHP":
      return `<?php // composer require firebase/php-jwt
use Firebase\\JWT\\{JWT, Key};

function verify(string $body, string $key): object { // ${key}
  $claims = JWT::decode(json_decode($body)->jwt, new Key($key, '${name}'));
  return $claims->data; // the message
}`;
  }
}
