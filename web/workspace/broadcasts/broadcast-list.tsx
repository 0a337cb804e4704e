import { Button } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconSpeakerphone from "@tabler/icons-react/dist/esm/icons/IconSpeakerphone.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel } from "../../languages/labels.ts";
import { useLiveEvent } from "../../live/use-topics.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Link } from "../../parts/link.tsx";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { paths } from "../../paths.ts";
import { type BroadcastState, stateOf } from "./broadcast-form.ts";
import { lookOf } from "./message-types.ts";
import { StateChip } from "./state-chip.tsx";
import "../../styles/broadcasts.css";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";

const states: readonly BroadcastState[] = ["shown", "planned", "over"];
const shownRows = "100";

/** Broadcasts by state: shown now, planned, over. */
export function BroadcastListScreen({ type }: { type: RecordType }) {
  const { account, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const now = useNow();
  const path = "/broadcasts";
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "list", path, "by state"],
    queryFn: () =>
      api.list(path, {
        fields: "message,message_type,visibility,start_at,end_at,disabled",
        sort: "-start_at",
        per_page: shownRows,
      }),
  });
  useLiveEvent("broadcast", () => void queries.invalidateQueries({ queryKey: [account.id, "list", path] }));
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
  const shown = rows.filter((row) => stateOf(row, now) === state);
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
  const { tone, icon, word } = lookOf(String(row.message_type));
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
