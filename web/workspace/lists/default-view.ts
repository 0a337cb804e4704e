import { useEffect, useRef } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Search } from "./list-address.ts";
import { useViews, type View } from "./views.ts";

/** In the address: the reader wants all records, not the default view. */
export const allRecords = "all";

/** The default view of the reader's teams; the one saved last if there are several. */
export const pickDefaultView = (views: readonly View[]): View | undefined =>
  views
    .filter(({ owner, value }) => value.isDefault === true && owner.startsWith("team"))
    .sort((one, other) => other.updated_at.localeCompare(one.updated_at))[0];

/** Opens the team's default view if the address has no filters. */
export function useDefaultView(type: RecordType, search: Search, open: (view: View) => void): void {
  const { views } = useViews(type);
  const found = pickDefaultView(views);
  const isBare = Object.values(search).every((value) => value === undefined);
  const opened = useRef(open);
  opened.current = open;
  useEffect(() => {
    if (isBare && found !== undefined) opened.current(found);
  }, [isBare, found]);
}
