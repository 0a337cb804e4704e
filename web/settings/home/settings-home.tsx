import { TextInput } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useContext, useState } from "react";
import { CurrentAccountContext } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Icon } from "../../parts/icon.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { isAdministrator } from "../../permissions.ts";
import { StepList } from "../../workspace/first-steps/step-list.tsx";
import { useFirstSteps } from "../../workspace/first-steps/use-first-steps.ts";
import { findRecordTypes, RecordTypeLink } from "./record-types-list.tsx";
import { SampleWorkCard } from "./sample-work.tsx";
import { buildSettingsPages, type SettingsPage, settingsGroups } from "./settings-pages.ts";

/** Where do I change it? Every page of the settings, and a search over them and over the record types. */
export function SettingsScreen() {
  const here = useContext(CurrentAccountContext);
  const [text, setText] = useState("");
  const steps = useFirstSteps();
  if (here === null) return null;
  const wanted = text.trim().toLocaleLowerCase();
  const pages = buildSettingsPages(here).filter(
    ({ label, lead }) => wanted === "" || `${label} ${lead}`.toLocaleLowerCase().includes(wanted),
  );
  const types = wanted === "" ? [] : findRecordTypes(here, wanted).slice(0, 12);
  return (
    <div className="page">
      <PageBar title={t("menu.settings")} windowTitle={t("menu.settings")}>
        <span className="quiet truncate">{here.account.name}</span>
      </PageBar>
      <div className="page-body settings-home">
        <TextInput
          type="search"
          size="md"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          aria-label={t("settings.find")}
          placeholder={t("settings.find")}
          leftSection={<Icon of={IconSearch} />}
        />
        {steps !== null && !steps.state.hidden && !steps.isComplete && wanted === "" && (
          <section className="first-steps-card" aria-label={t("steps.title")}>
            <StepList steps={steps} onHide={() => steps.setHidden(true)} />
          </section>
        )}
        {wanted === "" && isAdministrator(here.account.roles) && <SampleWorkCard />}
        {settingsGroups.map((group) => (
          <Group
            key={group}
            title={t(`settings.group.${group}`)}
            pages={pages.filter((page) => page.group === group)}
          />
        ))}
        {types.length > 0 && (
          <section aria-label={t("settings.records")}>
            <h2 className="settings-title">{t("settings.records")}</h2>
            <ul className="type-list">
              {types.map((type) => (
                <RecordTypeLink key={type.name} type={type} />
              ))}
            </ul>
          </section>
        )}
        {pages.length === 0 && types.length === 0 && <EmptyState title={t("form.nothingFound")} />}
      </div>
    </div>
  );
}

function Group({ title, pages }: { title: string; pages: readonly SettingsPage[] }) {
  if (pages.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="settings-title">{title}</h2>
      <div className="settings-cards">
        {pages.map(({ id, label, lead, icon, path }) => {
          const { component: _, ...link } = linkTo(path);
          return (
            <a key={id} className="settings-card" {...(path.startsWith("/a/") ? link : { href: path })}>
              <span className="settings-icon">
                <Icon of={icon} size={18} />
              </span>
              <span>
                <span className="settings-name">{label}</span>
                <span className="settings-lead">{lead}</span>
              </span>
            </a>
          );
        })}
      </div>
    </section>
  );
}
