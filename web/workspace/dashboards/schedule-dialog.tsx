import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { errorText } from "../../elements/error-text.ts";
import { showMessage } from "../../elements/toast.tsx";
import { MultiSelect } from "../../fields/pickers/multi-select.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { getReferenceName } from "../../queries/reference.ts";
import { usePeople } from "../work-item/side/use-people.ts";
import { type Frequency, frequencies, useSchedules } from "./schedules.ts";

type Props = {
  /** "dashboards/service-desk" */
  report: string;
  title: string;
  team: { id: number; name: string } | null;
  onClose(): void;
};

/** The frequency and the recipients of a report. */
export default function ScheduleDialog({ report, title, team, onClose }: Props) {
  const { who } = useCurrentAccount();
  const { create } = useSchedules();
  const [frequency, setFrequency] = useState<Frequency>("weekly");
  const [text, setText] = useState("");
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map([[String(who.person.id), who.person.name]]));
  const [recipients, setRecipients] = useState([String(who.person.id)]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // A list that stays open would cover the buttons below it.
  const [isChoosing, setChoosing] = useState(false);
  const found = usePeople(text, { keeps: true }).data ?? [];
  const options = new Map([...names, ...found.map((each) => [String(each.id), getReferenceName(each)] as const)]);
  const choose = (ids: string[]) => {
    setProblem(null);
    setRecipients(ids);
    setNames((was) => new Map([...was, ...ids.map((id) => [id, options.get(id) ?? id] as const)]));
  };
  const submit = async () => {
    setBusy(true);
    try {
      await create({ report, frequency, team_id: team?.id ?? null, recipient_ids: recipients.map(Number) });
      onClose();
      showMessage(t("schedule.created"));
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("schedule.title", { report: title })} loose={false} onClose={onClose}>
      <form
        className="choose-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <SegmentedControl
          fullWidth
          aria-label={t("schedule.howOften")}
          data={frequencies.map((each) => ({ value: each, label: t(`schedule.${each}`) }))}
          value={frequency}
          onChange={setFrequency}
        />
        <p className="quiet small">
          {t(`schedule.${frequency}.when`)}
          {team !== null && ` ${t("schedule.ofTeam", { team: team.name })}`}
        </p>
        <MultiSelect
          label={t("schedule.recipients")}
          description={t("schedule.recipientsHint")}
          searchable
          comboboxProps={{ position: "bottom", middlewares: { flip: false } }}
          maxDropdownHeight={200}
          dropdownOpened={isChoosing}
          onDropdownOpen={() => setChoosing(true)}
          onDropdownClose={() => setChoosing(false)}
          onOptionSubmit={() => setChoosing(false)}
          data={[...options].map(([value, label]) => ({ value, label }))}
          filter={({ options: all, search }) =>
            all.filter(
              (each) => "label" in each && each.label.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()),
            )
          }
          value={recipients}
          error={problem}
          onSearchChange={setText}
          onChange={choose}
        />
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={busy} disabled={recipients.length === 0}>
            {t("schedule.create")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
