import { changeLog } from "virtual:change-log";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { listApiTabs } from "./api-tabs.ts";
import { filterChanges, parseChanges } from "./parse-changes.ts";
import "../../styles/settings/developers.css";

// The file also lists changes that only concern the installation of the server or the use of its pages.
const releases = parseChanges(changeLog, ["Installation and web interface"]);

/** Changes of the API, the newest release first. */
export function ChangesScreen() {
  const { account } = useCurrentAccount();
  const [words, setWords] = useState("");
  const found = filterChanges(releases, words);
  return (
    <div className="page">
      <PageBar title={t("apiPages.title")}>
        <PageTabs label={t("apiPages.title")} tabs={listApiTabs(account.id)} active="changes" />
      </PageBar>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard */}
      <section className="page-body" tabIndex={0} aria-label={t("apiPages.changes")}>
        <div className="changes-page">
          <div className="changes-head">
            <p className="quiet">{t("apiPages.changesLead")}</p>
            <TextInput
              aria-label={t("apiPages.findChange")}
              placeholder={t("apiPages.findChange")}
              size="sm"
              value={words}
              onChange={({ currentTarget }) => setWords(currentTarget.value)}
            />
          </div>
          {found.length === 0 && <EmptyState title={t("apiPages.noChange")} />}
          {found.map(({ name, areas }) => (
            <section key={name} lang="en" aria-label={name}>
              <h2>{name}</h2>
              {areas.map((area) => (
                <div key={area.name} className="card changes-area">
                  <h3>{area.name}</h3>
                  <ul>
                    {area.changes.map((change) => (
                      <li key={change}>
                        <Words text={change} />
                      </li>
                    ))}
                  </ul>
                </div>
              ))}
            </section>
          ))}
        </div>
      </section>
    </div>
  );
}

/** Text between backticks is code. */
const Words = ({ text: change }: { text: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a part of a sentence is identified only by its position
  change.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
