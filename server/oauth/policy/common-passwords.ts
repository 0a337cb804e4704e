// D-551: common passwords, which attackers try first. The list is part of a package, so the check calls no service
// and nothing leaves this machine.

let list: Promise<ReadonlySet<string>> | null = null;

/** 49,000 words; loaded when the first password is chosen, because most processes never need them. */
const loadList = (): Promise<ReadonlySet<string>> => {
  list ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  return list;
};

/** People make a listed password longer by some digits and signs at its end, and so do the programs that guess. */
const longestEnding = 5;

export async function isCommonPassword(password: string): Promise<boolean> {
  const words = await loadList();
  const plain = password.normalize("NFKC").toLowerCase();
  if (words.has(plain) || /^(.)\1*$/u.test(plain)) return true;
  const [ending = ""] = /[^\p{L}]*$/u.exec(plain) ?? [];
  return ending.length <= longestEnding && words.has(plain.slice(0, plain.length - ending.length));
}
