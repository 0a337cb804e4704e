import { ActionIcon, Popover, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Link } from "../../../parts/link.tsx";
import { tip } from "../../../parts/tip.tsx";
import { showError, showUndo } from "../../../parts/toast.tsx";
import { typeIcon } from "../../../parts/work/type-icon.tsx";
import { paths } from "../../../paths.ts";
import { getReferenceName, type Reference } from "../../../queries/reference.ts";
import { findType, hasList } from "../../../record-types.ts";
import type { PageParts } from "../page-parts.ts";
import { referenceOf } from "../page-parts.ts";
import { pagePath, useRefreshRecord, useSettled, useSubList } from "../queries.ts";

// What hangs on the record: items, problem, workflow, group, article, watchers.

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  locked: string | null;
  linking: boolean;
  onLinking(open: boolean): void;
};

export function Linked({ type, row, parts, locked, linking, onLinking }: Props) {
  const settled = useSettled();
  const late = useSettled("late");
  const references = parts.references.filter((name) => referenceOf(row, name) !== null);
  return (
    <section className="linked" aria-label={t("request.linked")}>
      <div className="linked-head">
        <h2>{t("request.linked")}</h2>
        {locked === null && type.links.cis !== undefined && (
          <LinkItem type={type} row={row} opened={linking} onOpen={onLinking} />
        )}
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
        <LinkedReference key={name} type={type} row={row} name={name} />
      ))}
    </section>
  );
}

function LinkedReference({ type, row, name }: { type: RecordType; row: Row; name: string }) {
  const { account } = useCurrentAccount();
  const field = type.fields[name];
  const reference = referenceOf(row, name) as Reference;
  const to = field?.kind === "reference" ? findType(field.to) : undefined;
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
    </div>
  );
}

const targetOf = (type: RecordType, name: string): string =>
  type.links[name]?.to ?? type.lists[name]?.of ?? type.children[name]?.of ?? "";

/** One line per list: its first records by name, and how many there are. */
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
  const target = findType(targetOf(type, name));
  const isWatchers = name === "watches";
  const display = isWatchers ? "person" : (target?.display ?? "id");
  const query = { per_page: "5", ...(display === "id" ? {} : { fields: display }) };
  const list = useSubList(type, String(row.id), name, query, enabled && target !== undefined);
  const [open, setOpen] = useState(false);
  const rows = list.data?.rows ?? [];
  const total = list.data?.total ?? 0;
  if (target === undefined || total === 0) return null;
  const named = rows.map((each): Reference => {
    const value = each[display];
    return typeof value === "object" && value !== null ? (value as Reference) : { id: each.id, name: String(value) };
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
        <span className="quiet linked-count">{total > 1 || isWatchers ? `${total} ${fieldLabel(name)}` : ""}</span>
      </div>
      {open &&
        total > 1 &&
        named.map((other) => (
          <div className="linked-row linked-inner" key={String(other.id)}>
            {item(other)}
            {!locked && type.links[name] !== undefined && (
              <ActionIcon
                variant="subtle"
                size="sm"
                aria-label={t("request.unlink", { name: getReferenceName(other) })}
                onClick={() => void unlink(other)}
              >
                <Icon of={IconX} size={14} />
              </ActionIcon>
            )}
          </div>
        ))}
    </>
  );
}

/** Links a configuration item, found by the words of its label. */
function LinkItem({
  type,
  row,
  opened,
  onOpen,
}: {
  type: RecordType;
  row: Row;
  opened: boolean;
  onOpen(open: boolean): void;
}) {
  const { account, api } = useCurrentAccount();
  const refresh = useRefreshRecord(type, String(row.id));
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), 150);
  const found = useQuery({
    queryKey: [account.id, "list", "/cis", search],
    queryFn: () => api.list("/cis", { fields: "label,name", per_page: "20", ...(search === "" ? {} : { q: search }) }),
    enabled: opened,
  });
  const link = async (id: string | null) => {
    if (id === null) return;
    const path = `${pagePath(type, row.id)}/cis/${id}`;
    onOpen(false);
    try {
      await api.act(path);
      await refresh();
      showUndo(t("request.linkedOne"), async () => {
        await api.remove(path);
        await refresh();
      });
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Popover opened={opened} onChange={onOpen} width={300} position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          size="sm"
          aria-label={t("request.linkCi")}
          aria-keyshortcuts="l"
          onClick={() => onOpen(!opened)}
        >
          <Icon of={IconPlus} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Select
          data-autofocus
          label={t("request.linkCi")}
          placeholder={t("form.search")}
          searchable
          value={null}
          data={(found.data?.rows ?? []).map((item) => ({
            value: String(item.id),
            label: [item.label, item.name].filter((part) => typeof part === "string" && part !== "").join(" · "),
          }))}
          filter={({ options }) => options}
          comboboxProps={{ withinPortal: false }}
          nothingFoundMessage={found.isFetching ? t("app.loading") : t("form.nothingFound")}
          onSearchChange={setText}
          onChange={(id) => void link(id)}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
