import { useState } from "react";
import type { ToneName } from "../../base/tokens.ts";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";

export type AvatarPerson = { id: number | string; name?: string | undefined; picture_uri?: string | null | undefined };

const tints: readonly ToneName[] = ["violet", "green", "grey", "blue", "teal", "yellow", "orange", "red"];

/** The same color for the same person everywhere; neighboring ids get different ones. */
export function pickTint(id: number | string): ToneName {
  let hash = 7;
  for (const character of String(id)) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return tints[hash % tints.length] ?? "grey";
}

export function buildInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}

type Props = {
  /** null: no person, a dashed ring */
  person: AvatarPerson | null;
  size?: 20 | 24 | 28 | 34 | 52;
  presence?: "online" | "away" | undefined;
  /** hides it from screen readers, because the name is beside it */
  silent?: boolean;
};

export function Avatar({ person, size = 20, presence, silent = false }: Props) {
  const [broken, setBroken] = useState(false);
  const name = person === null ? t("people.nobody") : (person.name ?? `#${person.id}`);
  const spoken = silent ? { "aria-hidden": true as const } : { role: "img", "aria-label": name, ...tip(name) };
  if (person === null) return <span className="avatar" data-nobody data-size={size} {...spoken} />;
  const picture = broken ? null : person.picture_uri;
  return (
    <span className="avatar" data-size={size} data-tone={pickTint(person.id)} {...spoken}>
      {picture == null || picture === "" ? (
        buildInitials(name)
      ) : (
        <img src={picture} alt="" loading="lazy" onError={() => setBroken(true)} />
      )}
      {presence !== undefined && <span className="presence" data-presence={presence} />}
    </span>
  );
}
