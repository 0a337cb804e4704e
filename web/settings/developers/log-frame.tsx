import { Button, CloseButton, TextInput } from "@mantine/core";
import type { InfiniteData } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { type PageTab, PageTabs } from "../../parts/page-tabs.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { HourBars } from "./hour-bars.tsx";
import "../../styles/settings/developers.css";

// The frame of a log: figures with a bar per hour, filters in the address, a list that loads more at the end, and one
// entry beside it.

type Entries<Entry> = {
  data: InfiniteData<Entry[]> | undefined;
  error: unknown;
  hasNextPage: boolean;
  refetch(): unknown;
  fetchNextPage(): unknown;
};
type ColumnsProps<Entry> = {
  list: Entries<Entry>;
  empty: { title: string; lead: string };
  older: string;
  /** the entry shown beside the list */
  chosen: number | undefined;
  table(rows: readonly Entry[], chosen: number | undefined): ReactNode;
  detail: ReactNode;
};

/** The list, and one of its entries beside it. */
export function LogColumns<Entry extends { id: number }>({ list, empty, chosen, ...props }: ColumnsProps<Entry>) {
  const rows = list.data?.pages.flat() ?? [];
  return (
    <div className="log-columns">
      <div className="log-list">
        {list.error !== null ? (
          <ErrorPanel error={list.error} retry={() => void list.refetch()} />
        ) : list.data === undefined ? (
          <SkeletonRows rows={10} />
        ) : rows.length === 0 ? (
          <EmptyState {...empty} />
        ) : (
          props.table(rows, chosen)
        )}
        {list.hasNextPage && (
          <Button variant="default" m="md" onClick={() => void list.fetchNextPage()}>
            {props.older}
          </Button>
        )}
      </div>
      {props.detail}
    </div>
  );
}

type Props<Entry> = Omit<ColumnsProps<Entry>, "chosen" | "detail"> & {
  title: string;
  tabs: { label: string; tabs: readonly PageTab[]; active: string };
  actions?: ReactNode;
  figures: ReactNode;
  filters: ReactNode;
  /** the id of the entry shown beside the list */
  chosen: string | undefined;
  detail(entry: Entry): ReactNode;
  children?: ReactNode;
};

export function LogFrame<Entry extends { id: number }>({ list, chosen: wanted, detail, ...props }: Props<Entry>) {
  const chosen = list.data?.pages.flat().find(({ id }) => String(id) === wanted);
  const { empty, older, table } = props;
  return (
    <div className="page">
      <PageBar title={props.title} {...(props.actions === undefined ? {} : { actions: props.actions })}>
        <PageTabs {...props.tabs} />
      </PageBar>
      {props.figures}
      <div className="log-filters">{props.filters}</div>
      <LogColumns
        {...{ list, empty, older, table }}
        chosen={chosen?.id}
        detail={chosen === undefined ? null : detail(chosen)}
      />
      {props.children}
    </div>
  );
}

type FiguresProps = {
  lead: ReactNode;
  children: ReactNode;
  hours: number;
  tone: "blue" | "green";
  counts: readonly { hour: string; good: number; bad: number }[];
};

export const LogFigures = ({ lead, children, hours, tone, counts }: FiguresProps) => (
  <div className="log-figures">
    <div>
      <span>{lead}</span>
      {children}
    </div>
    <HourBars hours={hours} tone={tone} counts={[...counts]} />
  </div>
);

type TextProps = { label: string; placeholder: string; value: string | undefined; onChange(text: string): void };

/** A text filter: it applies on blur and on Enter. */
export const LogText = ({ label, placeholder, value = "", onChange }: TextProps) => (
  <TextInput
    key={value}
    aria-label={label}
    placeholder={placeholder}
    size="xs"
    defaultValue={value}
    onBlur={({ currentTarget }) => currentTarget.value.trim() !== value && onChange(currentTarget.value.trim())}
    onKeyDown={(event) => event.key === "Enter" && onChange(event.currentTarget.value.trim())}
  />
);

type DetailProps = {
  label: string;
  head: ReactNode;
  actions: ReactNode;
  /** follow-up actions, below the entry */
  foot?: ReactNode;
  onClose(): void;
  children: ReactNode;
};

/** One entry beside the list. */
export const LogDetail = ({ label, head, actions, foot, onClose, children }: DetailProps) => (
  <aside className="log-detail" aria-label={label}>
    <header>
      {head}
      <span className="log-detail-actions">
        {actions}
        <CloseButton aria-label={t("app.close")} onClick={onClose} />
      </span>
    </header>
    <div className="log-detail-body">{children}</div>
    {foot !== undefined && <footer>{foot}</footer>}
  </aside>
);
