import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { useLiveState } from "../../live/live-state.ts";

/** The number of selected rows, or the most useful keys; and whether the list is up to date. */
export function InboxFooter({ selected }: { selected: number }) {
  const live = useLiveState();
  const hints = [
    ["j k", t("inbox.hint.move")],
    ["space", t("inbox.hint.peek")],
    ["enter", t("inbox.hint.open")],
    ["x", t("inbox.hint.select")],
    ["a", t("inbox.hint.accept")],
  ] as const;
  return (
    <div className="inbox-footer">
      {selected > 0 ? (
        <span role="status">{t("inbox.selected", { count: selected })}</span>
      ) : (
        hints.map(([keys, name]) => (
          <span key={keys} className="inbox-hint">
            <Kbd keys={keys} /> {name}
          </span>
        ))
      )}
      <span className="inbox-live" data-state={live}>
        {t(`inbox.live.${live}`)}
      </span>
    </div>
  );
}
