import { Button, NumberInput, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Kbd } from "../../elements/kbd.tsx";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel } from "../../languages/labels.ts";
import { sendWrite } from "../../live/write-queue.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { boardQueries } from "../../queries/boards.ts";
import { recordQueries } from "../../queries/records.ts";
import type { Card, Column } from "./picture.ts";

const TagPicker = lazyPart(async () => (await import("../../parts/tag-picker.tsx")).default);

type Props = {
  card: Card;
  columns: readonly Column[];
  onClose(): void;
  /** called for another column; the page moves the card, because the column may ask for more values */
  onMove(card: Card, column: number): void;
  onSaved(): void;
};

type Values = Pick<Card, "subject" | "impact" | "tags"> & {
  member: string | null;
  estimate: number | string;
  column: string;
};

const buildValues = (card: Card): Values => ({
  subject: card.subject,
  member: card.member === null ? null : String(card.member.id),
  impact: card.impact,
  estimate: card.estimate ?? "",
  tags: card.tags,
  column: String(card.column),
});

/** Sends the changes of a card: its fields, its estimate, its tags. */
function useSaveCard(card: Card, type: RecordType | undefined) {
  const { account, who, api } = useCurrentAccount();
  const queries = useQueryClient();
  const path = `/${type?.collection}/${card.id}`;
  const saveFields = async ({ subject, impact, member }: Values) => {
    const currentMember = card.member?.id ?? null;
    const wanted = member === null ? null : Number(member);
    const body = {
      ...(subject.trim() === card.subject ? {} : { subject: subject.trim() }),
      ...(impact === card.impact ? {} : { impact }),
      ...(wanted === currentMember || type === undefined || !("member" in type.fields) ? {} : { member_id: wanted }),
    };
    if (Object.keys(body).length === 0) return;
    const base = { subject: card.subject, impact: card.impact, member_id: currentMember };
    await sendWrite(who.person.id, { account: account.id, path, body, revision: card.revision, base });
  };
  const saveEstimate = async ({ estimate }: Values) => {
    const wanted = estimate === "" ? null : Number(estimate);
    if (card.sprint_item === null || wanted === card.estimate) return;
    await api.change(`/sprints/${card.sprint}/sprint_backlog_items/${card.sprint_item}`, { estimate: wanted });
  };
  const saveTags = async ({ tags }: Values) => {
    const added = tags.filter((tag) => !card.tags.includes(tag));
    const removed = card.tags.filter((tag) => !tags.includes(tag));
    for (const tag of added) await api.act(`${path}/tags`, { name: tag });
    if (removed.length === 0) return;
    const { rows } = await api.list(`${path}/tags`, { fields: "name", per_page: "100" });
    for (const row of rows) if (removed.includes(String(row.name))) await api.remove(`${path}/tags/${row.id}`);
  };
  return async (values: Values) => {
    await saveFields(values);
    await saveEstimate(values);
    await saveTags(values);
    void queries.invalidateQueries({ queryKey: recordQueries.all(api, card.type, card.id) });
  };
}

/** The fields changed most often: subject, member, impact, estimate, tags, column. Sends only changes. */
export default function QuickEdit({ card, columns, onClose, onMove, onSaved }: Props) {
  const { account } = useCurrentAccount();
  const type = findType(card.type);
  const { values, change, draft } = useFormDraft(`${card.type}/${card.id}/quick_edit`, buildValues(card));
  const { subject, tags, column } = values;
  const finish = () => {
    draft.remove();
    onClose();
  };
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const save = useSaveCard(card, type);
  const problems = new Map(error instanceof ApiError ? error.problems : []);
  if (type === undefined) return null;
  const name = formatWorkId(card.type, card.id);
  const { component: _, ...link } = linkTo(paths.record(account.id, type, card.id));
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      await save(values);
      onSaved();
      finish();
      if (Number(column) !== card.column) onMove(card, Number(column));
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={name} onClose={onClose}>
      <form
        className="quick-edit"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <RestoredDraft draft={draft} onDiscard={draft.remove} />
        <TextInput
          label={fieldLabel("subject")}
          data-autofocus
          value={subject}
          error={problems.get("subject")}
          onChange={(event) => change({ subject: event.currentTarget.value })}
        />
        <FieldRow {...{ card, type, columns, values, change, problems }} />
        {card.type === "request" && (
          <Suspense>
            <TagPicker label={fieldLabel("tags")} value={tags} onChange={(wanted) => change({ tags: wanted })} />
          </Suspense>
        )}
        {error !== null && problems.size === 0 && (
          <p role="alert" className="form-error">
            {errorText(error)}
          </p>
        )}
        <div className="dialog-actions">
          <a {...link} className="quick-edit-link">
            {t("boards.openRecord")}
          </a>
          <Button variant="default" onClick={finish}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={busy} rightSection={<Kbd keys="enter" />}>
            {t("form.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type RowProps = {
  card: Card;
  type: RecordType;
  columns: readonly Column[];
  values: Values;
  change(part: Partial<Values>): void;
  problems: ReadonlyMap<string, string>;
};

/** The fields with a choice: member, impact, estimate and column. */
function FieldRow({ card, type, columns, values, change, problems }: RowProps) {
  const members = useMembers(card);
  const { member, impact, estimate, column } = values;
  return (
    <div className="quick-edit-row">
      {"member" in type.fields && (
        <Select
          label={fieldLabel("member")}
          data={members}
          searchable
          clearable
          value={member}
          error={problems.get("member")}
          onChange={(wanted) => change({ member: wanted })}
        />
      )}
      {"impact" in type.fields && (
        <Select
          label={fieldLabel("impact")}
          data={listImpacts(card.type).map((value) => ({ value, label: choiceLabel("request.impact", value) }))}
          clearable={card.type === "request"}
          value={impact}
          error={problems.get("impact")}
          onChange={(wanted) => change({ impact: wanted })}
        />
      )}
      {card.sprint_item !== null && (
        <NumberInput
          label={t("boards.estimate")}
          min={0}
          max={10_000}
          allowDecimal={false}
          value={estimate}
          error={problems.get("estimate")}
          onChange={(wanted) => change({ estimate: wanted })}
        />
      )}
      <Select
        label={fieldLabel("agile_board_column")}
        data={columns.filter(({ deleted }) => !deleted).map((each) => ({ value: String(each.id), label: each.name }))}
        allowDeselect={false}
        value={column}
        onChange={(value) => value !== null && change({ column: value })}
      />
    </div>
  );
}

const listImpacts = (type: string): string[] =>
  type === "request" ? ["low", "medium", "high", "top"] : ["none", "low", "medium", "high", "top"];

/** The members of the card's team, plus its current member. */
function useMembers({ team, member }: Card): { value: string; label: string }[] {
  const { api } = useCurrentAccount();
  const { data = [] } = useQuery({ ...boardQueries.teamMembers(api, team?.id ?? ""), enabled: team !== null });
  const found = data.map(({ id, name }) => ({ value: String(id), label: name }));
  return member === null || found.some(({ value }) => value === String(member.id))
    ? found
    : [{ value: String(member.id), label: member.name }, ...found];
}
