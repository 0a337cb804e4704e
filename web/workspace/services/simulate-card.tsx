import { ActionIcon, Button, TextInput } from "@mantine/core";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconFlag from "@tabler/icons-react/dist/esm/icons/IconFlag.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatFullDate } from "../../base/moments.ts";
import { errorText } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import { showMessage } from "../../elements/toast.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel, shortChoiceLabel } from "../../languages/labels.ts";
import { useList } from "../../queries/index.ts";
import type { ExplainedTargets } from "../../queries/record-page.ts";
import type { Reference } from "../../queries/reference.ts";
import { type Case, serviceQueries } from "../../queries/workspace/services.ts";
import { DayLanes } from "./day-lanes-view.tsx";

const categories = ["incident", "rfc", "rfi", "case"];
const impacts = ["top", "high", "medium", "low"];
const statuses = ["accepted", "in_progress", "waiting_for_customer", "waiting_for", "completed"];

type Props = {
  offering: number;
  service: Reference | null;
  value: Case;
  person: Reference | null;
  onChange(value: Case): void;
  onPerson(person: Reference | null): void;
};

/** The targets that a request would get, calculated by the same code as for real requests; nothing is stored. */
export function SimulateCard({ offering, service, value, person, onChange, onPerson }: Props) {
  const { api } = useCurrentAccount();
  const { data: instances } = useList(
    service === null ? "/service_instances" : `/services/${service.id}/service_instances`,
    {
      fields: "name",
      per_page: "100",
    },
  );
  const { data, error, isFetching } = useQuery(serviceQueries.simulation(api, value));
  const set = (change: Partial<Case>) => onChange({ ...value, ...change });
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    showMessage(t("offering.copied"));
  };
  const own = data?.find((each) => each.offering?.id === offering) ?? data?.[0];
  return (
    <section className="card simulate" aria-label={t("offering.simulate")}>
      <div className="simulate-head">
        <h2>{t("offering.simulate")}</h2>
        <span className="quiet">{t("offering.nothingStored")}</span>
        <Button variant="subtle" size="compact-sm" onClick={() => void copy()}>
          {t("offering.copyLink")}
        </Button>
      </div>
      <div className="simulate-inputs">
        <ReferencePicker
          to="person"
          aria-label={fieldLabel("requested_for")}
          value={person}
          onChange={(chosen) => onPerson(chosen)}
        />
        <Select
          aria-label={fieldLabel("service_instance")}
          placeholder={fieldLabel("service_instance")}
          data={(instances?.rows ?? []).map((row) => ({ value: String(row.id), label: String(row.name) }))}
          value={value.instance === null ? null : String(value.instance)}
          onChange={(id) => set({ instance: id === null ? null : Number(id) })}
          searchable
        />
        <Select
          aria-label={fieldLabel("category")}
          data={categories.map((each) => ({ value: each, label: shortChoiceLabel("request.category", each) }))}
          value={value.category}
          onChange={(category) => set({ category: category ?? "incident" })}
          allowDeselect={false}
        />
        {value.category === "incident" && (
          <Select
            aria-label={fieldLabel("impact")}
            data={impacts.map((each) => ({ value: each, label: shortChoiceLabel("request.impact", each) }))}
            value={value.impact}
            onChange={(impact) => set({ impact: impact ?? "medium" })}
            allowDeselect={false}
          />
        )}
        <TextInput
          type="datetime-local"
          aria-label={t("offering.askedAt")}
          value={value.at}
          onChange={(event) => set({ at: event.currentTarget.value })}
        />
      </div>
      <ul className="simulate-events">
        {value.events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an event is identified only by its position
          <li key={index}>
            <Select
              size="xs"
              aria-label={t("offering.eventStatus", { number: index + 1 })}
              data={statuses.map((each) => ({ value: each, label: choiceLabel("request.status", each) }))}
              value={event.status}
              onChange={(status) =>
                set({ events: replaceAt(value.events, index, { ...event, status: status ?? "in_progress" }) })
              }
              allowDeselect={false}
            />
            <TextInput
              size="xs"
              type="datetime-local"
              aria-label={t("offering.eventAt", { number: index + 1 })}
              value={event.at}
              onChange={(change) =>
                set({ events: replaceAt(value.events, index, { ...event, at: change.currentTarget.value }) })
              }
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("offering.removeEvent", { number: index + 1 })}
              onClick={() => set({ events: value.events.filter((_, at) => at !== index) })}
            >
              <Icon of={IconX} />
            </ActionIcon>
          </li>
        ))}
        <li>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<Icon of={IconPlus} size={14} />}
            onClick={() =>
              set({
                events: [...value.events, { at: value.events.at(-1)?.at ?? value.at, status: "waiting_for_customer" }],
              })
            }
          >
            {t("offering.addEvent")}
          </Button>
        </li>
      </ul>
      <div aria-live="polite" aria-busy={isFetching}>
        <Answer value={value} targets={own} count={data?.length} error={error} />
      </div>
    </section>
  );
}

const replaceAt = <T,>(list: readonly T[], at: number, value: T): T[] =>
  list.map((each, index) => (index === at ? value : each));

type AnswerProps = { value: Case; targets: ExplainedTargets | undefined; count: number | undefined; error: unknown };

function Answer({ value, targets, count, error }: AnswerProps): ReactNode {
  if (value.person === null || value.instance === null) return <p className="quiet">{t("offering.choosePerson")}</p>;
  if (error !== null) return <p className="form-problem">{errorText(error)}</p>;
  if (count === 0) return <p className="quiet">{t("offering.notCovered")}</p>;
  return targets === undefined ? null : <Outcome targets={targets} />;
}

function Outcome({ targets }: { targets: ExplainedTargets }) {
  const { account, api } = useCurrentAccount();
  const [shown, setShown] = useState(false);
  const calendar = targets.hours === null ? null : Number(targets.hours.id);
  const { data: hours = [] } = useQuery(serviceQueries.hours(api, calendar));
  const moment = (at: string | null) => (at === null ? t("sla.bestEffort") : formatFullDate(Date.parse(at)));
  return (
    <div key={account.id}>
      <DayLanes targets={targets} hours={hours} />
      <div className="simulate-outcome">
        <span data-tone="green">
          <Icon of={IconCircleCheck} /> {t("offering.respondBy")} <b>{moment(targets.response.target_at)}</b>
        </span>
        <span data-tone="red">
          <Icon of={IconFlag} /> {t("offering.resolveBy")} <b>{moment(targets.resolution.target_at)}</b>
        </span>
        <Button variant="subtle" size="compact-sm" aria-expanded={shown} onClick={() => setShown((was) => !was)}>
          {t("offering.showSteps")}
        </Button>
      </div>
      {shown && (
        <ol className="simulate-steps">
          {targets.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </div>
  );
}
