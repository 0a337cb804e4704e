import { useCurrentAccount } from "../../api/current-account.ts";
import { t } from "../../languages/index.ts";
import { Avatar, type AvatarPerson } from "./avatar.tsx";

type Props = { person: AvatarPerson | null; size?: 20 | 24 | 28 /** say "You" for the reader */; you?: boolean };

/** Picture and name; optionally "You" for the reader; a placeholder for null. */
export function PersonName({ person, size = 20, you = true }: Props) {
  const { who } = useCurrentAccount();
  const isReader = you && person !== null && String(person.id) === String(who.person.id);
  return (
    <span className="person-name">
      <Avatar person={person} size={size} silent />
      {person === null ? (
        <span className="quiet">{t("people.nobody")}</span>
      ) : (
        <span className="truncate">{isReader ? t("people.you") : (person.name ?? `#${person.id}`)}</span>
      )}
    </span>
  );
}
