import { Box } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Query, Row } from "../../api/index.ts";
import { getType } from "../../base/record-types.ts";
import { t } from "../../languages/index.ts";
import { lowerFirst } from "../../languages/labels.ts";
import { useList } from "../../queries/index.ts";
import { EmptyState } from "../empty-state.tsx";
import { ErrorMessage } from "../error-message.tsx";
import { Pager } from "../lists/pager.tsx";
import { RecordTable } from "../lists/record-table.tsx";
import { LoadingSkeleton } from "../loading-skeleton.tsx";

type Props = {
  path: string;
  of: string;
  label: string;
  /** filters in addition to those of the path */
  query?: Query;
  actions?: (row: Row) => ReactNode;
};

const noFilters: Query = {};

/** A list below a record, one page at a time. */
export function RelatedList({ path, of, label, query = noFilters, actions }: Props) {
  const type = getType(of);
  const [cursor, setCursor] = useState<Query>({});
  const { data, error, refetch } = useList(path, { ...query, ...cursor });
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  return (
    <Box className="card">
      {data === undefined ? (
        <LoadingSkeleton rows={4} />
      ) : data.rows.length === 0 ? (
        <EmptyState title={t("list.empty", { types: lowerFirst(label) })} />
      ) : (
        <>
          <RecordTable
            type={type}
            columns={type.defaultFields}
            rows={data.rows}
            label={label}
            {...(actions === undefined ? {} : { actions })}
          />
          <Pager
            page={data}
            onNext={(search_after) => setCursor({ search_after })}
            onPrevious={(search_before) => setCursor({ search_before })}
          />
        </>
      )}
    </Box>
  );
}
