import { useQuery } from "@tanstack/react-query";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { accountQueries } from "../../queries/account.ts";
import { broadcastQueries } from "../../queries/broadcasts.ts";
import { useRecord } from "../../queries/index.ts";
import { BroadcastEditor } from "./broadcast-editor.tsx";
import "../../styles/broadcasts.css";

const newId = "new";

/** The page of a broadcast; the id "new" is an unsaved one. */
export function BroadcastScreen({ type, id }: { type: RecordType; id: string }) {
  return id === newId || id === "" ? <NewBroadcast type={type} /> : <SavedBroadcast type={type} id={id} />;
}

const useLocale = () => {
  const { api } = useCurrentAccount();
  return useQuery({ ...accountQueries.account(api), select: ({ locale }) => String(locale) });
};

function NewBroadcast({ type }: { type: RecordType }) {
  const locale = useLocale();
  if (locale.error !== null) return <ErrorMessage error={locale.error} retry={() => void locale.refetch()} />;
  if (locale.data === undefined) return <LoadingSkeleton rows={10} />;
  return <BroadcastEditor type={type} row={null} translations={[]} locale={locale.data} />;
}

function SavedBroadcast({ type, id }: { type: RecordType; id: string }) {
  const { api } = useCurrentAccount();
  const record = useRecord(type, id);
  const locale = useLocale();
  const translations = useQuery(broadcastQueries.translations(api, id));
  const failed = [record, locale, translations].find(({ error }) => error !== null);
  if (failed?.error != null) return <ErrorMessage error={failed.error} retry={() => void failed.refetch()} />;
  if (record.data === undefined || locale.data === undefined || translations.data === undefined)
    return <LoadingSkeleton rows={10} />;
  return (
    <BroadcastEditor
      key={record.data.id}
      type={type}
      row={record.data}
      translations={translations.data}
      locale={locale.data}
    />
  );
}
