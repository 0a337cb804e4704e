import { Anchor } from "@mantine/core";
import IconLogout from "@tabler/icons-react/dist/esm/icons/IconLogout.mjs";
import { Fragment, Suspense, useState } from "react";
import type { SignInMethods } from "../../../records/answers/sign-in.ts";
import { team } from "../../../records/people/team.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { request } from "../../../records/work/request.ts";
import { task } from "../../../records/work/task.ts";
import type { Action } from "../../actions/action.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { formatDate } from "../../base/formats.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { Link } from "../../elements/link.tsx";
import { tip } from "../../elements/tip.tsx";
import { NamedValue } from "../../fields/named-value.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { ProofGate } from "../../parts/proof/proof-gate.tsx";
import { PropertyRow } from "../../parts/property-row.tsx";
import { RecordDetails } from "../../parts/records/record-details.tsx";
import { RelatedList } from "../../parts/records/related-list.tsx";
import { useList } from "../../queries/index.ts";
import { getReferenceName, type Reference, readReference } from "../../queries/reference.ts";
import {
  buildHistoryTab,
  buildListTabs,
  LoadedRecord,
  RecordFrame,
  type RecordTab,
  useIsWritable,
} from "../records/record-frame.tsx";
import { SideSignIn, SignOutDialog, useSignInMethods } from "./person-sign-in.tsx";
import "../../styles/settings/people.css";
import { addTotals, type Total } from "../../queries/total.ts";

const DisableDialog = lazyDialog(async () => (await import("./disable-dialog.tsx")).DisableDialog);
const PersonRights = lazyPart(async () => (await import("./person-rights.tsx")).PersonRights);

// The page of a person: their details, teams and permissions.

export const PersonScreen = ({ type, id }: { type: RecordType; id: string }) => (
  <LoadedRecord type={type} id={id}>
    {(row) => <PersonPage type={type} row={row} />}
  </LoadedRecord>
);

/** The lists below a person that have a tab, most used first; the permissions are between them. */
const memberTabs = ["teams", "skill_pools"];
const furtherTabs = ["cis", "sla_coverages", "out_of_office_periods", "contacts", "addresses"];

const getName = (reference: Reference | null | undefined): string =>
  reference === null || reference === undefined ? "" : getReferenceName(reference);

function PersonPage({ type, row }: { type: RecordType; row: Row }) {
  const { who, isAdministrator } = useCurrentAccount();
  const writable = useIsWritable(type, row);
  const methods = useSignInMethods(row.id);
  const [isSigningOut, setIsSigningOut] = useState(false);
  const [isDisabling, setIsDisabling] = useState(false);
  const openWork = useOpenWorkCount(row.id);
  const name = String(row.name);
  const signOut: Action = {
    ...{ id: "person.signOut", group: "record", icon: IconLogout, name: t("signOut.action") },
    when: methods !== undefined,
    run: () => setIsSigningOut(true),
  };
  const rights: RecordTab = {
    key: "rights",
    label: t("rights.tab"),
    content: () => (
      <Suspense fallback={<LoadingSkeleton rows={8} />}>
        <PersonRights person={row.id} name={name} />
      </Suspense>
    ),
  };
  const overview: RecordTab = {
    key: "overview",
    label: t("ci.overview"),
    content: () => <RecordDetails type={type} row={row} writable={writable} />,
  };
  const work: RecordTab = {
    key: "work",
    label: t("person.work"),
    count: openWork,
    content: () => (
      <div className="person-work">
        {[request, task].map((of) => (
          <section key={of.name} aria-label={collectionLabel(of)}>
            <h2 className="settings-title">{collectionLabel(of)}</h2>
            <RelatedList
              path={`/${of.collection}/open`}
              of={of.name}
              label={collectionLabel(of)}
              query={{ member: String(row.id) }}
            />
          </section>
        ))}
      </div>
    ),
  };
  return (
    <RecordFrame
      type={type}
      row={row}
      name={name}
      head={{
        picture: (
          <Avatar
            person={{ id: row.id, name, picture_uri: typeof row.picture_uri === "string" ? row.picture_uri : null }}
            size={52}
            silent
          />
        ),
        facts: [
          String(row.job_title ?? ""),
          getName(readReference(row.organization)),
          getName(readReference(row.site)),
        ],
      }}
      chips={row.vip === true && <Chip tone="violet">{fieldLabel("vip")}</Chip>}
      tabs={[
        overview,
        work,
        ...buildListTabs(type, row, writable, memberTabs),
        ...(isAdministrator || row.id === who.person.id ? [rights] : []),
        ...buildListTabs(type, row, writable, furtherTabs),
        buildHistoryTab(type, row),
      ]}
      side={{ label: t("record.details"), content: <PersonSide type={type} row={row} methods={methods} /> }}
      actions={[signOut]}
      onDisable={openWork === undefined || openWork.total === 0 ? undefined : () => setIsDisabling(true)}
    >
      {isDisabling && openWork !== undefined && (
        <DisableDialog person={row.id} name={name} openWork={openWork} onClose={() => setIsDisabling(false)} />
      )}
      {isAdministrator && <ProofGate />}
      {isSigningOut && <SignOutDialog person={row.id} name={name} onClose={() => setIsSigningOut(false)} />}
    </RecordFrame>
  );
}

/** The number of a person's open requests and tasks; undefined until both are counted. */
function useOpenWorkCount(person: number): Total | undefined {
  const query = { member: String(person), fields: "id", per_page: "1" };
  const [requests, tasks] = [useList("/requests/open", query), useList("/tasks/open", query)];
  return requests.data === undefined || tasks.data === undefined ? undefined : addTotals(requests.data, tasks.data);
}

const sideGroups: readonly (readonly string[])[] = [
  ["primary_email", "manager", "organization", "site", "location"],
  ["locale", "time_zone", "work_hours"],
  ["employeeID", "supportID", "source", "sourceID"],
];

/** A person's telephone numbers, each as a link that calls it. */
function SidePhones({ person }: { person: number }) {
  const { data } = useList(`/people/${person}/contacts`, { fields: "label,telephone", per_page: "20" });
  return (data?.rows ?? [])
    .filter(({ telephone }) => typeof telephone === "string" && telephone !== "")
    .map(({ id, label, telephone }) => (
      <PropertyRow key={id} label={fieldLabel("telephone")}>
        <Anchor
          inherit
          href={`tel:${String(telephone).replace(/[^+\d]/g, "")}`}
          {...tip(choiceLabel("contact.label", String(label)))}
        >
          {String(telephone)}
        </Anchor>
      </PropertyRow>
    ));
}

/** A person's teams, with their coordinators. */
function SideTeams({ row }: { row: Row }) {
  const { account } = useCurrentAccount();
  const { data } = useList(`/people/${row.id}/teams`, { fields: "name,coordinator", per_page: "8" });
  if (data === undefined || data.rows.length === 0) return null;
  return (
    <div className="ci-side-group">
      <h2 className="settings-title">{t("person.teams")}</h2>
      {data.rows.map((each) => (
        <div key={each.id} className="side-line">
          <Link to={paths.record(account.id, team, each.id)}>{String(each.name)}</Link>
          <Coordinator of={each} except={row.id} />
        </div>
      ))}
    </div>
  );
}

/** The coordinator of a person's team. */
function Coordinator({ of, except }: { of: Row; except: number }) {
  const coordinator = readReference(of.coordinator);
  if (coordinator === null || coordinator.id === except) return null;
  return <span className="quiet">{t("person.with", { name: getReferenceName(coordinator) })}</span>;
}

/** The person's next absence, and their delegate. */
function SideAway({ row }: { row: Row }) {
  const [since] = useState(() => new Date().toISOString());
  const { data } = useList("/out_of_office_periods", {
    ...{ person: String(row.id), end_at: `>${since}`, sort: "start_at", per_page: "1" },
    fields: "start_at,end_at,reason,approval_delegate",
  });
  const period = data?.rows[0];
  if (period === undefined) return null;
  const delegate = readReference(period.approval_delegate);
  return (
    <div className="ci-side-group">
      <h2 className="settings-title">{t("profile.away")}</h2>
      <div className="card side-card">
        <b>
          {formatDate(String(period.start_at))} – {formatDate(String(period.end_at))}
        </b>
        {delegate !== null && <p className="quiet">{t("profile.delegate", { name: getReferenceName(delegate) })}</p>}
      </div>
    </div>
  );
}

type SideProps = { type: RecordType; row: Row; methods: SignInMethods | undefined };

function PersonSide({ type, row, methods }: SideProps) {
  const hasValue = (name: string) => row[name] !== null && row[name] !== undefined && row[name] !== "";
  return (
    <div className="ci-side">
      {sideGroups
        .map((names) => names.filter((name) => hasValue(name) && name in type.fields))
        .filter((names) => names.length > 0)
        .map((names) => (
          <div key={names[0]} className="ci-side-group">
            {names.map((name) => (
              <Fragment key={name}>
                <PropertyRow label={fieldLabel(name)}>
                  <NamedValue type={type} name={name} row={row} />
                </PropertyRow>
                {name === "primary_email" && <SidePhones person={row.id} />}
              </Fragment>
            ))}
          </div>
        ))}
      <SideTeams row={row} />
      {methods !== undefined && <SideSignIn methods={methods} person={row.id} name={String(row.name)} />}
      <SideAway row={row} />
    </div>
  );
}
