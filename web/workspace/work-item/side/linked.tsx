import { ActionIcon } from "@mantine/core";
import IconSpeakerphone from "@tabler/icons-react/dist/esm/icons/IconSpeakerphone.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { paths } from "../../../base/paths.ts";
import { findType, hasList } from "../../../base/record-types.ts";
import { Chip } from "../../../elements/chip.tsx";
import { Icon } from "../../../elements/icon.tsx";
import { Link } from "../../../elements/link.tsx";
import { tip } from "../../../elements/tip.tsx";
import { showError, showUndo } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { currentTime } from "../../../parts/now.ts";
import { useSave } from "../../../parts/save/use-save.ts";
import { typeIcon } from "../../../parts/work/type-icon.tsx";
import { pagePath, useRefreshRecord, useSettled, useSubList } from "../../../queries/record-page.ts";
import { recordQueries } from "../../../queries/records.ts";
import { getReferenceName, type Reference } from "../../../queries/reference.ts";
import { toCount } from "../../../queries/total.ts";
import { requestQueries } from "../../../queries/work/requests.ts";
import type { PageParts } from "../page-parts.ts";
import { getReference } from "../page-parts.ts";
import { LinkMenu } from "./link-menu.tsx";

// The records linked to this one: items, problem, workflow, group, article, watchers.

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  locked: string | null;
  linking: boolean;
  onLinking(open: boolean): void;
  onTellAll: (() => void) | null;
};

export function Linked({ type, row, parts, locked, linking, onLinking, onTellAll }: Props) {
  const settled = useSettled();
  const late = useSettled("late");
  const references = parts.references.filter((name) => getReference(row, name) !== null);
  return (
    <section className="linked" aria-label={t("request.linked")}>
      <div className="linked-head">
        <h2>{t("request.linked")}</h2>
        {locked === null && <LinkMenu type={type} row={row} parts={parts} opensCis={linking} onOpenedCis={onLinking} />}
      </div>
      {parts.lists.map((name) => (
        <LinkedList
          key={name}
          type={type}
          row={row}
          name={name}
          enabled={name === "cis" || name === "requests" || name === "watches" ? settled : late}
          locked={locked !== null}
        />
      ))}
      {references.map((name) => (
        <LinkedReference key={name} type={type} row={row} name={name} locked={locked !== null} />
      ))}
      {row.grouping === "group" && <Broadcasts request={row.id} enabled={late} />}
      {onTellAll !== null && (
        <button type="button" className="text-button tell-all" onClick={onTellAll}>
          <Icon of={IconSpeakerphone} size={14} /> {t("request.tellAll")}
        </button>
      )}
    </section>
  );
}

/** Broadcasts that refer to this group. */
function Broadcasts({ request, enabled }: { request: number; enabled: boolean }) {
  const { account, api } = useCurrentAccount();
  const { data } = useQuery({ ...requestQueries.broadcasts(api, request), enabled });
  const type = findType("broadcast");
  if (type === undefined) return null;
  type Broadcast = NonNullable<typeof data>[number];
  const isLive = ({ disabled, start_at, end_at }: Broadcast) => {
    const [from, until] = [Date.parse(String(start_at)), Date.parse(String(end_at))];
    const now = currentTime();
    return disabled !== true && !(from > now) && !(until < now);
  };
  return (data ?? []).map((row) => (
    <div className="linked-row" key={row.id}>
      <Icon of={IconSpeakerphone} />
      <Link to={paths.record(account.id, type, row.id)} className="truncate">
        {String(row.message ?? row.id)}
      </Link>
      {isLive(row) && <Chip tone="red">{t("request.broadcastLive")}</Chip>}
    </div>
  ));
}

type ReferenceProps = { type: RecordType; row: Row; name: string; locked: boolean };

function LinkedReference({ type, row, name, locked }: ReferenceProps) {
  const { account } = useCurrentAccount();
  const save = useSave(type, String(row.id));
  const field = type.fields[name];
  const reference = getReference(row, name);
  const to = field?.kind === "reference" ? findType(field.to) : undefined;
  if (reference === null) return null;
  const words = getReferenceName(reference);
  return (
    <div className="linked-row" {...tip(fieldLabel(name))}>
      <Icon of={typeIcon(to?.name ?? "")} />
      {to === undefined || !hasList(to) ? (
        <span className="truncate">{words}</span>
      ) : (
        <Link to={paths.record(account.id, to, reference.id)} className="truncate">
          {words}
        </Link>
      )}
      {!locked && field?.access !== "readonly" && field?.access !== "required" && (
        <UnlinkButton
          name={words}
          onClick={() => save({ [name]: null }, { message: t("request.unlinked", { name: words }) }).catch(showError)}
        />
      )}
    </div>
  );
}

const UnlinkButton = ({ name, onClick }: { name: string; onClick(): unknown }) => (
  <ActionIcon
    variant="subtle"
    size="sm"
    className="unlink"
    aria-label={t("request.unlink", { name })}
    onClick={() => void onClick()}
  >
    <Icon of={IconX} size={14} />
  </ActionIcon>
);

const getTarget = (type: RecordType, name: string): string =>
  type.links[name]?.to ?? type.lists[name]?.of ?? type.children[name]?.of ?? "";

/** The record type of a list, and its query. */
function describeList(type: RecordType, name: string) {
  const target = findType(getTarget(type, name));
  const display = name === "watches" ? "person" : (target?.display ?? "id");
  return { target, display, query: { per_page: "5", ...(display === "id" ? {} : { fields: display }) } };
}

/** The number of records linked to this one; null: not loaded yet. It uses the data of `Linked`. */
export function useLinkedCount(type: RecordType, row: Row, parts: PageParts): number | null {
  const settled = useSettled();
  const { api } = useCurrentAccount();
  const lists = useQueries({
    queries: parts.lists.map((name) => {
      const { target, query } = describeList(type, name);
      const load = () => api.list(`${pagePath(type, row.id)}/${name}`, query);
      const part = recordQueries.part(api, type.name, row.id, name, load);
      return { ...part, enabled: settled && target !== undefined };
    }),
  });
  if (lists.some(({ isLoading }) => isLoading) || !settled) return null;
  const references = parts.references.filter((name) => getReference(row, name) !== null).length;
  return lists.reduce((count, { data }) => count + (data?.total ?? 0), references);
}

/** One line per list: its first records by name, and the total. */
function LinkedList({
  type,
  row,
  name,
  enabled,
  locked,
}: {
  type: RecordType;
  row: Row;
  name: string;
  enabled: boolean;
  locked: boolean;
}) {
  const { account, api } = useCurrentAccount();
  const refresh = useRefreshRecord(type, String(row.id));
  const { target, display, query } = describeList(type, name);
  const isWatchers = name === "watches";
  const list = useSubList(type, String(row.id), name, query, enabled && target !== undefined);
  const [open, setOpen] = useState(false);
  const rows = list.data?.rows ?? [];
  const total = list.data?.total ?? 0;
  if (target === undefined || total === 0) return null;
  const named = rows.map((each): Reference => {
    return getReference(each, display) ?? { id: each.id, name: String(each[display]) };
  });
  const unlink = async (other: Reference) => {
    const path = `${pagePath(type, row.id)}/${name}/${other.id}`;
    try {
      await api.remove(path);
      await refresh();
      showUndo(t("request.unlinked", { name: getReferenceName(other) }), async () => {
        await api.act(path);
        await refresh();
      });
    } catch (error) {
      showError(error);
    }
  };
  const linkType = isWatchers ? findType("person") : target;
  const item = (other: Reference) =>
    linkType === undefined || !hasList(linkType) ? (
      <span className="truncate">{getReferenceName(other)}</span>
    ) : (
      <Link to={paths.record(account.id, linkType, other.id)} className="truncate">
        {getReferenceName(other)}
      </Link>
    );
  const [only] = named;
  return (
    <>
      <div className="linked-row">
        <Icon of={typeIcon(isWatchers ? "person" : target.name)} />
        {total === 1 && only !== undefined ? (
          item(only)
        ) : (
          <button type="button" className="text-button truncate" aria-expanded={open} onClick={() => setOpen(!open)}>
            {named.map(getReferenceName).join(", ")}
          </button>
        )}
        <span className="quiet linked-count">
          {isWatchers
            ? t("request.watchers", { count: toCount(list.data) })
            : total > 1
              ? `${toCount(list.data)} ${fieldLabel(name)}`
              : ""}
        </span>
        {total === 1 && only !== undefined && !locked && type.links[name] !== undefined && (
          <UnlinkButton name={getReferenceName(only)} onClick={() => unlink(only)} />
        )}
      </div>
      {open &&
        total > 1 &&
        named.map((other) => (
          <div className="linked-row linked-inner" key={String(other.id)}>
            {item(other)}
            {!locked && type.links[name] !== undefined && (
              <UnlinkButton name={getReferenceName(other)} onClick={() => unlink(other)} />
            )}
          </div>
        ))}
    </>
  );
}
