import { TextInput } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useContext, useState } from "react";
import { CurrentAccountContext } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { typeGroups } from "../../base/record-types.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { findRecordTypes, RecordTypeLink } from "./record-types-list.tsx";

/** Every record type as a table, for types without their own page. */
export function AllRecordsScreen() {
  const here = useContext(CurrentAccountContext);
  const [text, setText] = useState("");
  if (here === null) return null;
  const found = findRecordTypes(here, text);
  return (
    <div className="page">
      <PageBar
        title={t("settings.records")}
        trail={[{ label: t("menu.settings"), path: paths.settings(here.account.id) }]}
      />
      <div className="page-body settings-home">
        <TextInput
          type="search"
          size="md"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          aria-label={t("settings.findType")}
          placeholder={t("settings.findType")}
          leftSection={<Icon of={IconSearch} />}
        />
        {typeGroups.map(({ group, types }) => {
          const shown = types.filter((type) => found.includes(type));
          if (shown.length === 0) return null;
          return (
            <section key={group} aria-label={t(`group.${group}`)}>
              <h2 className="settings-title">{t(`group.${group}`)}</h2>
              <ul className="type-list">
                {shown.map((type) => (
                  <RecordTypeLink key={type.name} type={type} />
                ))}
              </ul>
            </section>
          );
        })}
        {found.length === 0 && <EmptyState title={t("form.nothingFound")} />}
      </div>
    </div>
  );
}
