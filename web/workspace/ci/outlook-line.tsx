import { Button } from "@mantine/core";
import IconBolt from "@tabler/icons-react/dist/esm/icons/IconBolt.mjs";
import { useState } from "react";
import { service } from "../../../records/configuration/service.ts";
import { sla } from "../../../records/configuration/sla.ts";
import { person } from "../../../records/people/person.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import type { CiOutlook } from "./graph-types.ts";

/** The consequences of the item's failure in one line, by name on demand. */
export function OutlookLine({ outlook }: { outlook: CiOutlook }) {
  const [shown, setShown] = useState(false);
  const { services, slas, people } = outlook;
  const isNothing = services.length + slas.length + people.count === 0;
  return (
    <div className="ci-outlook">
      <b>
        <Icon of={IconBolt} /> {t("ci.ifItFails")}
      </b>
      {isNothing ? (
        <span>{t("ci.nobodyAffected")}</span>
      ) : (
        <>
          <Count text={t("ci.services", { count: services.length })} />
          <Count text={t("ci.people", { count: people.count })} />
          <Count text={t("ci.slas", { count: slas.length })} />
          <Button variant="subtle" size="compact-sm" ml="auto" onClick={() => setShown(true)}>
            {t("ci.whoExactly")}
          </Button>
        </>
      )}
      {shown && (
        <Dialog title={t("ci.ifItFails")} onClose={() => setShown(false)}>
          <NamedList type={service} rows={services} />
          <NamedList type={sla} rows={slas} />
          <NamedList type={person} rows={people.examples} more={people.count - people.examples.length} />
        </Dialog>
      )}
    </div>
  );
}

/** The number is emphasized, because people look for it. */
const Count = ({ text }: { text: string }) => (
  <span>
    {text
      .split(/(\p{Nd}[\p{Nd}.,\u00a0\u202f]*)/u)
      .map((part, index) => (index % 2 === 1 ? <b key={part}>{part}</b> : part))}
  </span>
);

type ListProps = { type: RecordType; rows: readonly { id: number; name: string }[]; more?: number };

function NamedList({ type, rows, more = 0 }: ListProps) {
  const { account } = useCurrentAccount();
  if (rows.length === 0) return null;
  return (
    <section className="ci-named">
      <h3>{collectionLabel(type)}</h3>
      <ul>
        {rows.map(({ id, name }) => (
          <li key={id}>
            <Link to={paths.record(account.id, type, id)}>{name}</Link>
          </li>
        ))}
        {more > 0 && <li>{t("ci.andMore", { count: more })}</li>}
      </ul>
    </section>
  );
}
