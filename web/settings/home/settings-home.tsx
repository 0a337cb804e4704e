import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useContext } from "react";
import type { SettingsOverview } from "../../../records/answers/settings.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { type CurrentAccount, CurrentAccountContext, useCurrentAccount } from "../../api/current-account.ts";
import { linkTo, navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { isAdministrator } from "../../base/permissions.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { StepList } from "../../parts/first-steps/step-list.tsx";
import { useFirstSteps } from "../../parts/first-steps/use-first-steps.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { findSettings } from "../../parts/settings-index/find-settings.ts";
import { buildSettingsPages, type SettingsPage, settingsGroups } from "../../parts/settings-index/settings-pages.ts";
import { useLinkSearch } from "../../parts/settings-index/use-link-search.ts";
import { typeIcon } from "../../parts/work/type-icon.tsx";
import { settingsHomeQueries, shownHits } from "../../queries/settings/home.ts";
import { findRecordTypes, RecordTypeLink } from "./record-types-list.tsx";
import { SampleWorkCard } from "./sample-work.tsx";
import { Attention, describeState, StateBadge, useSettingsOverview } from "./settings-overview.tsx";
import "../../styles/settings/home.css";

/** Every page of the settings, and one search over pages, single settings, types and records. */
export function SettingsScreen() {
  const here = useContext(CurrentAccountContext);
  const { text, setText, input, container, onInputKeyDown, onLinkKeyDown } = useLinkSearch<HTMLDivElement>();
  const administers = here !== null && isAdministrator(here.account.roles);
  const overview = useSettingsOverview(administers);
  const recentChanges: Action = {
    ...{ id: "settings.lately", name: t("overview.lately"), icon: IconHistory, when: administers },
    group: "settings",
    run: () => here !== null && navigateTo(settingsPaths.audit(here.account.id)),
  };
  useActions([
    { id: "settings.find", name: t("settings.find"), group: "settings", keys: "/", run: () => input.current?.select() },
    recentChanges,
  ]);
  if (here === null) return null;
  const wanted = text.trim();
  return (
    <div className="page">
      <PageBar
        title={t("menu.settings")}
        windowTitle={t("menu.settings")}
        actions={administers ? <ActionButton action={recentChanges} /> : undefined}
      >
        <span className="quiet truncate">{here.account.name}</span>
      </PageBar>
      <div className="page-body settings-home">
        <TextInput
          ref={input}
          type="search"
          size="md"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onInputKeyDown}
          aria-label={t("settings.find")}
          aria-keyshortcuts="/"
          placeholder={t("settings.find")}
          leftSection={<Icon of={IconSearch} />}
          rightSection={text === "" ? <Kbd keys="/" /> : undefined}
        />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the links inside */}
        <div ref={container} className="settings-results" onKeyDown={onLinkKeyDown}>
          {wanted === "" ? <Home here={here} overview={overview} /> : <Results here={here} text={wanted} />}
        </div>
      </div>
    </div>
  );
}

function Home({ here, overview }: { here: CurrentAccount; overview: SettingsOverview | undefined }) {
  const steps = useFirstSteps();
  const pages = buildSettingsPages(here);
  return (
    <>
      <Attention items={overview?.attention ?? []} />
      {settingsGroups.map((group) => (
        <Group
          key={group}
          title={t(`settings.group.${group}`)}
          pages={pages.filter((page) => page.group === group)}
          overview={overview}
        />
      ))}
      {steps !== null && !steps.state.hidden && !steps.isComplete && (
        <section className="first-steps-card" aria-label={t("steps.title")}>
          <StepList steps={steps} onHide={() => steps.setHidden(true)} />
        </section>
      )}
      {isAdministrator(here.account.roles) && <SampleWorkCard />}
    </>
  );
}

type GroupProps = { title: string; pages: readonly SettingsPage[]; overview: SettingsOverview | undefined };

function Group({ title, pages, overview }: GroupProps) {
  if (pages.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="settings-title">{title}</h2>
      <div className="settings-cards">
        {pages.map((page) => (
          <PageCard
            key={page.id}
            page={page}
            lead={page.lead}
            state={describeState(page, overview)}
            badge={<StateBadge page={page} overview={overview} />}
          />
        ))}
      </div>
    </section>
  );
}

/** An address outside the interface is a plain link. */
const buildLink = (path: string) => {
  const { component: _, ...link } = linkTo(path);
  return path.startsWith("/a/") ? link : { href: path };
};

type CardProps = { page: SettingsPage; name?: string; lead: string; state?: string; badge?: ReactNode };

function PageCard({ page, name = page.label, lead, state = "", badge }: CardProps) {
  return (
    <a className="settings-card" {...buildLink(page.path)}>
      <span className="settings-icon">
        <Icon of={page.icon} size={18} />
      </span>
      <span>
        <span className="settings-name">
          {name} {badge}
        </span>
        <span className="settings-lead">{lead}</span>
        {state !== "" && <span className="settings-state">{state}</span>}
      </span>
    </a>
  );
}

const mostTypes = 12;

function Results({ here, text }: { here: CurrentAccount; text: string }) {
  const found = findSettings(here, text);
  const types = findRecordTypes(here, text).slice(0, mostTypes);
  return (
    <>
      {found.length > 0 && (
        <section aria-label={t("menu.settings")}>
          <h2 className="settings-title">{t("menu.settings")}</h2>
          <div className="settings-cards">
            {found.map(({ page, setting }) =>
              setting === null ? (
                <PageCard key={page.id} page={page} lead={page.lead} />
              ) : (
                <PageCard key={`${page.id} ${setting}`} page={page} name={setting} lead={page.label} />
              ),
            )}
          </div>
        </section>
      )}
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
      <FoundRecords text={text} isAlone={found.length === 0 && types.length === 0} />
    </>
  );
}

/** The search returns highlights as HTML; they are shown as plain text. */
const toPlainText = (html: string): string =>
  new DOMParser().parseFromString(html, "text/html").documentElement.textContent ?? "";

/** Configuration that consists of records (people, rules, templates and the like) is found by the account's search. */
function FoundRecords({ text, isAlone }: { text: string; isAlone: boolean }) {
  const { account, api } = useCurrentAccount();
  const [settledText] = useDebouncedValue(text, 200);
  const { data, isFetching } = useQuery(settingsHomeQueries.search(api, settledText));
  const hits = settledText === text ? (data?.rows ?? []).slice(0, shownHits) : [];
  if (hits.length === 0)
    return isAlone && !isFetching && settledText === text ? <EmptyState title={t("form.nothingFound")} /> : null;
  return (
    <section aria-label={t("overview.found")}>
      <h2 className="settings-title">{t("overview.found")}</h2>
      <ul className="type-list">
        {hits.map(({ type: name, id, highlights }) => {
          const type = findEntry(name.replaceAll("-", "_"));
          if (type === undefined) return null;
          const { href, onClick } = linkTo(paths.record(account.id, type, id));
          return (
            <li key={`${name} ${id}`}>
              <a className="type-link" href={href} onClick={onClick}>
                <Icon of={typeIcon(type.name)} />
                <span className="truncate">{toPlainText(highlights.title)}</span>
                <span className="quiet">{typeLabel(type)}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
