import { Button } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconSpeakerphone from "@tabler/icons-react/dist/esm/icons/IconSpeakerphone.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel } from "../../languages/labels.ts";
import { useLiveEvent } from "../../live/use-topics.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { broadcastQueries } from "../../queries/broadcasts.ts";
import { type BroadcastState, getState } from "./broadcast-form.ts";
import { getLook } from "./message-types.ts";
import { StateChip } from "./state-chip.tsx";
import "../../styles/broadcasts.css";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";

const states: readonly BroadcastState[] = ["shown", "planned", "over"];

/** Broadcasts by state: active, planned, ended. */
export function BroadcastListScreen({ type }: { type: RecordType }) {
  const { account, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const now = useNow();
  const { data, error, refetch } = useQuery(broadcastQueries.byState(api));
  useLiveEvent("broadcast", () => void queries.invalidateQueries({ queryKey: broadcastQueries.lists(api) }));
  const create = paths.create(account.id, type);
  return (
    <div className="page">
      <PageBar
        title={collectionLabel(type)}
        actions={
          <>
            <Button variant="default" {...linkTo(`${paths.list(account.id, type)}?view=all`)}>
              {t("lists.asTable")}
            </Button>
            {may("create", type) && (
              <Button leftSection={<Icon of={IconPlus} />} {...linkTo(create)}>
                {t("broadcasts.new")}
              </Button>
            )}
          </>
        }
      />
      <div className="page-body">
        {error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonRows rows={8} />
        ) : data.rows.length === 0 ? (
          <EmptyState title={t("broadcasts.none")} lead={t("broadcasts.noneLead")} icon={IconSpeakerphone} />
        ) : (
          states.map((state) => <Section key={state} state={state} rows={data.rows} type={type} now={now} />)
        )}
      </div>
    </div>
  );
}

type SectionProps = { state: BroadcastState; rows: readonly Row[]; type: RecordType; now: number };

function Section({ state, rows, type, now }: SectionProps) {
  const shown = rows.filter((row) => getState(row, now) === state);
  if (shown.length === 0) return null;
  return (
    <section className="broadcast-section" aria-labelledby={`broadcasts-${state}`}>
      <h2 id={`broadcasts-${state}`}>
        {t(`broadcasts.state.${state}`)} <span className="quiet">{shown.length}</span>
      </h2>
      <ul>
        {shown.map((row) => (
          <RowBoundary key={row.id} row={row}>
            {() => <BroadcastRow row={row} type={type} />}
          </RowBoundary>
        ))}
      </ul>
    </section>
  );
}

function BroadcastRow({ row, type }: { row: Row; type: RecordType }) {
  const { account } = useCurrentAccount();
  const { tone, icon, word } = getLook(String(row.message_type));
  return (
    <li className="broadcast-row">
      <span className="broadcast-kind" data-tone={tone}>
        <Icon of={icon} />
        <span className="spoken">{t(word)}</span>
      </span>
      <Link to={paths.record(account.id, type, row.id)} className="broadcast-text">
        {String(row.message)}
      </Link>
      <span className="quiet broadcast-to">{choiceLabel("broadcast.visibility", String(row.visibility))}</span>
      <StateChip row={row} />
    </li>
  );
}
