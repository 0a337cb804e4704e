// Addresses that links and images may have. Markup with any other address stays text.

const maxAddressLength = 2048;

/** The address for an attribute (still to be escaped), or null. */
export function safeAddress(written: string): string | null {
  const address = written.trim();
  if (address === "" || address.length > maxAddressLength || !address.isWellFormed()) return null;
  // Browsers drop control characters from addresses and read `\` as `/`: the check must see what they open.
  if (/[\p{Cc}\u2028\u2029\\]/u.test(address)) return null;
  if (!isHarmlessScheme(address) && !isRelative(address)) return null;
  return address.replaceAll(" ", "%20");
}

/** For images; a telephone number is no image. */
export function safeImageAddress(written: string): string | null {
  return /^\s*(mailto|tel):/i.test(written) ? null : safeAddress(written);
}

function isHarmlessScheme(address: string): boolean {
  return /^https?:\/\/[^/\s]/i.test(address) || /^(mailto|tel):[^\s]/i.test(address);
}

/**
 * No scheme, and nothing that a second decoding on the way could turn into one (`javascript&#58;`, `javascript%3a`).
 */
export function isRelative(address: string): boolean {
  const beforePath = /^[^/?#]*/.exec(address)?.[0] ?? "";
  return !/[:&%]/.test(beforePath);
}
