import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useFormDraft } from "../../../drafts/use-form-draft.ts";
import { Select } from "../../../fields/pickers/select.tsx";
import { t } from "../../../languages/index.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import { ranges } from "../range.ts";
import { tiles } from "../standard-tiles.ts";
import type { Tile } from "../tile.ts";
import { listForms, maxTitleLength, type TileChange, type TileChoice } from "./tile-choice.ts";

type Props = {
  /** the draft's key until the choice is applied */
  draftKey: string;
  choice: TileChoice;
  teams: readonly { id: number; name: string }[];
  onSave(change: { [Key in keyof TileChange]: TileChange[Key] | undefined }): void;
  onClose(): void;
};

type Values = { title: string; form: Tile["kind"]; range: string; team: string };

const isConfined = (tile: Tile): boolean =>
  tile.kind === "list"
    ? tile.within !== undefined
    : tile.kind === "figure" || tile.sources.some(({ within }) => within !== undefined);
const isOfTeams = (tile: Tile): boolean =>
  tile.kind === "list"
    ? tile.ofNoTeam !== true
    : tile.kind === "figure"
      ? tile.source.ofNoTeam !== true
      : tile.sources.some(({ ofNoTeam }) => ofNoTeam !== true);

/** The name of a chart, its form, and its own range and team if they differ from those of the page. */
export default function ConfigureDialog({ draftKey, choice, teams, onSave, onClose }: Props) {
  const tile: Tile = tiles[choice.tile];
  const forms = listForms(tile);
  const { values, change, draft } = useFormDraft<Values>(draftKey, {
    title: choice.title ?? "",
    form: choice.form ?? tile.kind,
    range: choice.range ?? "",
    team: choice.team === undefined ? "" : String(choice.team),
  });
  const { title, form, range, team } = values;
  return (
    <Dialog title={t("dashboard.configureTitle", { title: choice.title ?? t(tile.title) })} onClose={onClose}>
      <form
        className="choose-form"
        onSubmit={(event) => {
          event.preventDefault();
          draft.remove();
          onSave({
            title: title.trim() === "" ? undefined : title.trim(),
            form: form === tile.kind ? undefined : forms.find((each) => each === form),
            range: ranges.find((each) => each === range),
            team: team === "" ? undefined : Number(team),
          });
        }}
      >
        <TextInput
          label={t("dashboard.tileTitle")}
          placeholder={t(tile.title)}
          maxLength={maxTitleLength}
          value={title}
          data-autofocus
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        {forms.length > 1 && (
          <SegmentedControl
            fullWidth
            aria-label={t("dashboard.form")}
            data={forms.map((each) => ({
              value: each,
              label: t(`dashboard.form.${each}`),
            }))}
            value={form}
            onChange={(wanted) => change({ form: wanted })}
          />
        )}
        {isConfined(tile) && (
          <Select
            label={t("dashboard.days")}
            allowDeselect={false}
            data={[
              { value: "", label: t("dashboard.asPage") },
              ...ranges.map((each) => ({ value: each, label: t("dashboard.lastDays", { count: Number(each) }) })),
            ]}
            value={range}
            onChange={(wanted) => change({ range: wanted ?? "" })}
          />
        )}
        {isOfTeams(tile) && (
          <Select
            label={t("chart.team")}
            allowDeselect={false}
            searchable
            data={[
              { value: "", label: t("dashboard.asPage") },
              ...teams.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            value={team}
            onChange={(wanted) => change({ team: wanted ?? "" })}
          />
        )}
        <p className="quiet small">{t(tile.explanation)}</p>
        <div className="dialog-actions">
          <Button
            variant="default"
            onClick={() => {
              draft.remove();
              onClose();
            }}
          >
            {t("form.cancel")}
          </Button>
          <Button type="submit">{t("dashboard.apply")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
