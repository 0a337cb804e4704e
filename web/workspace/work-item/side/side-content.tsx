import { Suspense } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { t } from "../../../languages/index.ts";
import { useTargets } from "../../../queries/record-page.ts";
import { getReference, type PageParts } from "../page-parts.ts";
import { Panels } from "../panels/panels.tsx";
import { pickShownTarget } from "./current-target.ts";
import { Linked } from "./linked.tsx";
import { Properties } from "./properties.tsx";
import { RequesterCard } from "./requester-card.tsx";
import { TargetCard } from "./target-card.tsx";
import { WhyTarget } from "./why-target.tsx";

const ArticleSuggestions = lazyPart(async () => (await import("./article-suggestions.tsx")).ArticleSuggestions);

export type SideProps = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  locked: string | null;
  editing: string | null;
  onEditing(name: string | null): void;
  linking: boolean;
  onLinking(open: boolean): void;
  /** null: there are no other people to inform */
  onTellAll: (() => void) | null;
  why: boolean;
  onWhy(): void;
};

/** Target, properties, requester, linked records. */
export function SideContent(props: SideProps) {
  const { type, row, parts, locked } = props;
  const targets = useTargets(type, String(row.id), parts.hasClocks);
  const shown = pickShownTarget(row, parts, targets.data ?? []);
  const requester = parts.requester === null ? null : getReference(row, parts.requester);
  return (
    <>
      <Panels type={type} row={row} names={parts.sideTop ?? []} isQuiet />
      {(shown.target !== null || parts.hasClocks) && (
        <div className="target-box">
          <TargetCard row={row} {...shown} explained={targets.data?.[0]} />
          <WhyTarget row={row} all={targets.data ?? []} open={props.why} onToggle={props.onWhy} />
        </div>
      )}
      {locked !== null && <p className="quiet locked-reason">{locked}</p>}
      <Properties
        type={type}
        row={row}
        parts={parts}
        locked={locked}
        editing={props.editing}
        onEditing={props.onEditing}
      />
      <Panels type={type} row={row} names={parts.sideBottom ?? []} isQuiet />
      {requester !== null && <RequesterCard person={requester} except={row.id} />}
      {type.name === "request" && (
        <Suspense fallback={null}>
          <ArticleSuggestions row={row} locked={locked !== null} />
        </Suspense>
      )}
      <Linked
        type={type}
        row={row}
        parts={parts}
        locked={locked}
        linking={props.linking}
        onLinking={props.onLinking}
        onTellAll={props.onTellAll}
      />
      <span className="spoken" role="status">
        {targets.isFetching ? t("app.loading") : ""}
      </span>
    </>
  );
}
