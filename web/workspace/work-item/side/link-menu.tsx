import { ActionIcon, Menu } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { findType } from "../../../base/record-types.ts";
import { Icon } from "../../../elements/icon.tsx";
import { Kbd } from "../../../elements/kbd.tsx";
import { t } from "../../../languages/index.ts";
import { typeLabel } from "../../../languages/labels.ts";
import { lazyDialog } from "../../../parts/dialogs/lazy-dialog.tsx";
import { typeIcon } from "../../../parts/work/type-icon.tsx";
import { getReference, type PageParts } from "../page-parts.ts";
import type { Linkable } from "./linkable.ts";

const LinkDialog = lazyDialog(async () => (await import("./link-dialog.tsx")).default);

function listLinkables(type: RecordType, row: Row, parts: PageParts): Linkable[] {
  const links = parts.lists.flatMap((name): Linkable[] => {
    const to = findType(type.links[name]?.to ?? (name === "watches" ? "person" : ""));
    return to === undefined ? [] : [{ name, by: name === "watches" ? "watch" : "link", to }];
  });
  const references = parts.references.flatMap((name): Linkable[] => {
    const field = type.fields[name];
    const to = field?.kind === "reference" && field.access !== "readonly" ? findType(field.to) : undefined;
    return to === undefined || getReference(row, name) !== null ? [] : [{ name, by: "reference", to }];
  });
  return [...links, ...references];
}

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  /** the key L opens the choice of a configuration item directly */
  opensCis: boolean;
  onOpenedCis(open: boolean): void;
};

/** The kinds of records that can be linked, by the name of their type. */
export function LinkMenu({ type, row, parts, opensCis, onOpenedCis }: Props) {
  const [chosen, setChosen] = useState<Linkable | null>(null);
  const linkables = listLinkables(type, row, parts);
  const wanted = chosen ?? (opensCis ? linkables.find(({ name }) => name === "cis") : undefined);
  const close = () => {
    setChosen(null);
    onOpenedCis(false);
  };
  if (linkables.length === 0) return null;
  const label = ({ name, to }: Linkable) =>
    name === "watches" ? t("request.watcher") : name === "grouped_into" ? t("request.groupInto") : typeLabel(to);
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="subtle" size="sm" aria-label={t("request.link")}>
            <Icon of={IconPlus} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {linkables.map((each) => (
            <Menu.Item
              key={each.name}
              leftSection={<Icon of={typeIcon(each.to.name)} />}
              rightSection={each.name === "cis" ? <Kbd keys="l" /> : undefined}
              onClick={() => setChosen(each)}
            >
              {label(each)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {wanted !== undefined && (
        <LinkDialog type={type} row={row} linkable={wanted} title={label(wanted)} onClose={close} />
      )}
    </>
  );
}
