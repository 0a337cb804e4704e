import { Button, TextInput } from "@mantine/core";
import { formatWithin, readerZone } from "../../base/moments.ts";
import { useValueDraft } from "../../drafts/use-form-draft.ts";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { currentTime } from "../../parts/now.ts";

const day = 86_400_000;

/** The calendar date of a moment in the reader's zone: "2026-11-17". */
const toDate = (at: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: readerZone(), dateStyle: "short" }).format(at);

/** The API reads a time without an offset in the reader's zone. */
function buildChoices(now: number): { label: string; value: string }[] {
  const weekday = new Date(`${toDate(now)}T12:00:00Z`).getUTCDay();
  const untilMonday = ((8 - weekday) % 7 || 7) * day;
  const hour = Number(
    new Intl.DateTimeFormat("en-GB", { timeZone: readerZone(), hour: "2-digit", hour12: false }).format(now),
  );
  return [
    { label: t("request.wait.hour"), value: new Date(now + 3_600_000).toISOString().replace(/\.\d+/, "") },
    ...(hour < 15 ? [{ label: t("request.wait.afternoon"), value: `${toDate(now)}T16:00` }] : []),
    { label: t("request.wait.tomorrow"), value: `${toDate(now + day)}T09:00` },
    { label: t("request.wait.monday"), value: `${toDate(now + untilMonday)}T09:00` },
  ];
}

type Props = {
  /** part of the draft's key for the typed moment: "request/48213" */
  record: string;
  onChoose(until: string): void;
  onClose(): void;
};

/** The date until which the record waits: a few near moments, or any other. */
export function WaitDialog({ record, onChoose, onClose }: Props) {
  const now = currentTime();
  const { value: picked, setValue: setPicked, draft } = useValueDraft(`${record}/wait`, "");
  const choose = (until: string) => {
    draft.remove();
    onChoose(until);
  };
  return (
    <Dialog title={t("request.status.wait")} onClose={onClose}>
      <div className="wait-choices">
        {buildChoices(now).map(({ label, value }, at) => (
          <Button
            key={label}
            variant="default"
            onClick={() => choose(value)}
            {...(at === 0 ? { "data-autofocus": true } : {})}
          >
            {label}
            {value.endsWith("Z") && <span className="quiet"> · {formatWithin(Date.parse(value), now)}</span>}
          </Button>
        ))}
      </div>
      <form
        className="wait-other"
        onSubmit={(event) => {
          event.preventDefault();
          if (picked !== "") choose(picked);
        }}
      >
        <TextInput
          type="datetime-local"
          label={t("request.wait.other")}
          value={picked}
          onChange={(event) => setPicked(event.currentTarget.value)}
        />
        <Button type="submit" disabled={picked === ""}>
          {t("request.wait.set")}
        </Button>
      </form>
    </Dialog>
  );
}
