import type { RecordType } from "../../../records/vocabulary/index.ts";
import { type CurrentAccount, useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { may } from "../../base/permissions.ts";
import { typeGroups } from "../../base/record-types.ts";
import { Icon } from "../../elements/icon.tsx";
import { isMessage, t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { typeIcon } from "../../parts/work/type-icon.tsx";

/** Synonyms of a type ("on call" for calendars), in the reader's language. */
const synonyms = (type: RecordType): string => {
  const key = `synonyms.${type.name}`;
  return isMessage(key) ? t(key) : "";
};

const searchable = (type: RecordType): string =>
  `${collectionLabel(type)} ${type.name.replaceAll("_", " ")} ${synonyms(type)}`.toLocaleLowerCase();

/** The record types the person may see whose name or synonym contains every word. */
export function findRecordTypes({ account }: CurrentAccount, text: string): RecordType[] {
  const words = text.toLocaleLowerCase().split(/\s+/);
  return typeGroups
    .flatMap(({ types }) => types)
    .filter((type) => may(account.roles, "read", type))
    .filter((type) => words.every((word) => searchable(type).includes(word)));
}

export function RecordTypeLink({ type }: { type: RecordType }) {
  const { account } = useCurrentAccount();
  const { href, onClick } = linkTo(paths.list(account.id, type));
  const words = synonyms(type);
  return (
    <li>
      <a className="type-link" href={href} onClick={onClick}>
        <Icon of={typeIcon(type.name)} />
        <span>{collectionLabel(type)}</span>
        {words !== "" && <span className="quiet truncate">{words}</span>}
      </a>
    </li>
  );
}
