import { Box } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { RecordType } from "../../records/vocabulary/index.ts";
import type { Query, Row } from "../api.ts";
import { findType } from "../groups.ts";
import { t } from "../languages/index.ts";
import { useList } from "../queries.ts";
import { EmptyState } from "./empty.tsx";
import { Pager } from "./pager.tsx";
import { ErrorMessage } from "./problem.tsx";
import { RecordTable } from "./record-table.tsx";
import { LoadingSkeleton } from "./waiting.tsx";

type Props = { path: string; of: string; label: string; actions?: (row: Row) => ReactNode };

/** A list under a record, a page at a time. */
export function RelatedList({ path, of, label, actions }: Props) {
  const type = findType(of) as RecordType;
  const [cursor, setCursor] = useState<Query>({});
  const { data, error, refetch } = useList(path, cursor);
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  return (
    <Box className="card">
      {data === undefined ? (
        <LoadingSkeleton rows={4} />
      ) : data.rows.length === 0 ? (
        <EmptyState title={t("tab.nothing")} />
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
