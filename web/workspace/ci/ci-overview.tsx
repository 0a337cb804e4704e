import { ActionIcon, Button, Switch } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconBolt from "@tabler/icons-react/dist/esm/icons/IconBolt.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { formatDate } from "../../base/formats.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { showError } from "../../elements/toast.tsx";
import { NamedValue } from "../../fields/named-value.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { ReferenceLink } from "../../fields/references/reference.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { showSavedRecord } from "../../queries/index.ts";
import { recordQueries } from "../../queries/records.ts";
import { readReference } from "../../queries/reference.ts";
import { itemQueries } from "../../queries/workspace/items.ts";
import { useIsWritable } from "../records/record-frame.tsx";
import { filterGraph, listKinds } from "./filter-graph.ts";
import { findFailing } from "./find-failing.ts";
import { OpenWork } from "./open-work.tsx";
import { OutlookLine } from "./outlook-line.tsx";
import { RelationGraph } from "./relation-graph.tsx";
import { RelationList } from "./relation-list.tsx";

/** The item's relations, the items that fail with it, its open work, and its maintenance. */
export function CiOverview({ type, row }: { type: RecordType; row: Row }) {
  const { account, api } = useCurrentAccount();
  const writable = useIsWritable(type, row);
  const [depth, setDepth] = useState(2);
  const [wantedKind, setKind] = useState<string | null>(null);
  const [listed, setListed] = useState(false);
  // A graph needs room: on a phone it is a list.
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const { data: whole, error, refetch } = useQuery(itemQueries.graph(api, row.id, depth));
  const kinds = whole === undefined ? [] : listKinds(whole);
  // With fewer levels, no relation of the kind may be left.
  const kind = wantedKind !== null && kinds.includes(wantedKind) ? wantedKind : null;
  const graph = useMemo(() => (whole === undefined ? undefined : filterGraph(whole, kind)), [whole, kind]);
  const { data: outlook } = useQuery(itemQueries.outlook(api, row.id));
  const [showsFailure, setShowsFailure] = useState(false);
  const failing = useMemo(
    () => (showsFailure && graph !== undefined ? findFailing(graph, row.id) : null),
    [showsFailure, graph, row.id],
  );
  return (
    <div className="ci-overview">
      <div className="card ci-graph-card">
        <div className="ci-graph-tools">
          <Select
            size="xs"
            aria-label={t("ci.levels")}
            value={String(depth)}
            allowDeselect={false}
            data={[1, 2, 3].map((count) => ({ value: String(count), label: t("ci.level", { count }) }))}
            onChange={(wanted) => setDepth(Number(wanted ?? 2))}
          />
          {kinds.length > 1 && (
            <Select
              size="xs"
              aria-label={t("ci.kinds")}
              value={kind ?? ""}
              allowDeselect={false}
              data={[
                { value: "", label: t("ci.allKinds") },
                ...kinds.map((value) => ({ value, label: choiceLabel("ci_relation.relation_type", value) })),
              ]}
              onChange={(wanted) => setKind(wanted === "" ? null : wanted)}
            />
          )}
          {graph?.truncated && <span>{t("ci.truncated")}</span>}
          <span className="ci-graph-gap" />
          {outlook !== undefined && kinds.length > 0 && (
            <Button
              variant="default"
              size="xs"
              aria-pressed={showsFailure}
              data-pressed={showsFailure || undefined}
              className="ci-fails"
              leftSection={<Icon of={IconBolt} size={14} />}
              onClick={() => setShowsFailure((was) => !was)}
              {...tip(t("ci.ifItFailsHint"))}
            >
              {t("ci.ifItFails")}
            </Button>
          )}
          {writable && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon of={IconPlus} size={14} />}
              {...linkTo(`${paths.record(account.id, type, row.id)}?tab=ci_relations`)}
            >
              {t("ci.relate")}
            </Button>
          )}
          {!narrow && kinds.length > 0 && (
            <ActionIcon
              variant={listed ? "light" : "default"}
              size={30}
              aria-label={t("ci.asList")}
              aria-pressed={listed}
              {...tip(t("ci.asList"))}
              onClick={() => setListed((was) => !was)}
            >
              <Icon of={IconList} />
            </ActionIcon>
          )}
        </div>
        {error !== null && <ErrorPanel error={error} retry={() => void refetch()} />}
        {graph === undefined && error === null && <SkeletonRows rows={4} />}
        {graph !== undefined &&
          (graph.relations.length + graph.groups.length === 0 ? (
            <EmptyState title={t("ci.noRelations")} lead={t("ci.noRelationsLead")} />
          ) : narrow || listed ? (
            <RelationList graph={graph} id={row.id} failing={failing} />
          ) : (
            <RelationGraph graph={graph} id={row.id} failing={failing} />
          ))}
        {outlook !== undefined && <OutlookLine outlook={outlook} />}
      </div>
      <div className="ci-cards">
        <OpenWork id={row.id} />
        <Maintenance type={type} row={row} />
      </div>
    </div>
  );
}

const isRule = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
const readRule = (value: unknown) => (isRule(value) ? value : null);

function Maintenance({ type, row }: { type: RecordType; row: Row }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const writable = useIsWritable(type, row);
  const template = readReference(row.workflow_template);
  const rule = readRule(row.recurrence);
  // A paused rule has no next dates.
  const { data: dates = [] } = useQuery(itemQueries.occurrences(api, rule?.disabled === true ? null : rule));
  const pause = async (disabled: boolean) => {
    try {
      const saved = await api.change(`/${type.collection}/${row.id}`, { recurrence: { disabled } });
      showSavedRecord(queries, account.id, type.name, { row: saved, revision: null });
    } catch (error) {
      showError(error);
    }
    await queries.invalidateQueries({ queryKey: recordQueries.all(api, type.name, row.id) });
  };
  return (
    <section className="card ci-card" aria-labelledby="ci-maintenance">
      <div className="ci-card-head">
        <h2 id="ci-maintenance">{t("ci.maintenance")}</h2>
        {rule !== null && (
          <Switch
            aria-labelledby="ci-maintenance"
            checked={rule.disabled !== true}
            disabled={!writable}
            onChange={({ currentTarget }) => void pause(!currentTarget.checked)}
          />
        )}
      </div>
      {rule === null ? (
        <p className="ci-quiet">{t("ci.noMaintenance")}</p>
      ) : (
        <>
          <NamedValue type={type} name="recurrence" row={row} />
          <div className="ci-dates">
            {dates.map((date, index) => (
              <Chip key={date} tone={index === 0 ? "blue" : "outline"}>
                {formatDate(date.slice(0, 10))}
              </Chip>
            ))}
          </div>
          {template !== null && (
            <p className="ci-quiet">
              {t("ci.starts")} <ReferenceLink to="workflow_template" value={template} />
            </p>
          )}
        </>
      )}
    </section>
  );
}
