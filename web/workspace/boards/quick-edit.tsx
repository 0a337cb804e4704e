import { Button, NumberInput, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel } from "../../languages/labels.ts";
import { sendWrite } from "../../live/write-queue.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { errorText } from "../../parts/error-text.ts";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { paths } from "../../paths.ts";
import { findType } from "../../record-types.ts";
import type { Card, Column } from "./picture.ts";

const TagPicker = lazyPart(async () => (await import("../../parts/tag-picker.tsx")).default);

type Props = {
  card: Card;
  columns: readonly Column[];
  onClose(): void;
  /** another column was chosen; the page moves the card, because the column may ask for more */
  onMove(card: Card, column: number): void;
  onSaved(): void;
};

/** What is changed most: subject, member, impact, estimate, tags, column. Sends what was changed. */
export default function QuickEdit({ card, columns, onClose, onMove, onSaved }: Props) {
  const { account, who, api } = useCurrentAccount();
  const queries = useQueryClient();
  const type = findType(card.type);
  const members = useMembers(card);
  const { values, change, draft } = useFormDraft(`${card.type}/${card.id}/quick_edit`, {
    subject: card.subject,
    member: card.member === null ? null : String(card.member.id),
    impact: card.impact,
    estimate: (card.estimate ?? "") as number | string,
    tags: card.tags,
    column: String(card.column),
  });
  const { subject, member, impact, estimate, tags, column } = values;
  const finish = () => {
    draft.remove();
    onClose();
  };
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems = new Map(error instanceof ApiError ? error.problems : []);
  if (type === undefined) return null;
  const name = formatWorkId(card.type, card.id);
  const path = `/${type.collection}/${card.id}`;
  const hasEstimate = card.sprint_item !== null;
  const { component: _, ...link } = linkTo(paths.record(account.id, type, card.id));

  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      const body = {
        ...(subject.trim() === card.subject ? {} : { subject: subject.trim() }),
        ...(impact === card.impact ? {} : { impact }),
        ...(member === String(card.member?.id ?? null) || !("member" in type.fields)
          ? {}
          : { member_id: member === null ? null : Number(member) }),
      };
      if (Object.keys(body).length > 0) {
        const base = { subject: card.subject, impact: card.impact, member_id: card.member?.id ?? null };
        await sendWrite(who.person.id, { account: account.id, path, body, revision: card.revision, base });
      }
      await saveEstimate();
      await saveTags();
      void queries.invalidateQueries({ queryKey: [account.id, "record", card.type, String(card.id)] });
      onSaved();
      finish();
      if (Number(column) !== card.column) onMove(card, Number(column));
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  const saveEstimate = async () => {
    const wanted = estimate === "" ? null : Number(estimate);
    if (!hasEstimate || wanted === card.estimate) return;
    await api.change(`/sprints/${card.sprint}/sprint_backlog_items/${card.sprint_item}`, { estimate: wanted });
  };
  const saveTags = async () => {
    const added = tags.filter((tag) => !card.tags.includes(tag));
    const removed = card.tags.filter((tag) => !tags.includes(tag));
    for (const tag of added) await api.act(`${path}/tags`, { name: tag });
    if (removed.length === 0) return;
    const { rows } = await api.list(`${path}/tags`, { fields: "name", per_page: "100" });
    for (const row of rows) if (removed.includes(String(row.name))) await api.remove(`${path}/tags/${row.id}`);
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
              data={impactsOf(card.type).map((value) => ({ value, label: choiceLabel("request.impact", value) }))}
              clearable={card.type === "request"}
              value={impact}
              error={problems.get("impact")}
              onChange={(wanted) => change({ impact: wanted })}
            />
          )}
          {hasEstimate && (
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
            data={columns
              .filter(({ deleted }) => !deleted)
              .map((each) => ({ value: String(each.id), label: each.name }))}
            allowDeselect={false}
            value={column}
            onChange={(value) => value !== null && change({ column: value })}
          />
        </div>
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

const impactsOf = (type: string): string[] =>
  type === "request" ? ["low", "medium", "high", "top"] : ["none", "low", "medium", "high", "top"];

/** Those who can get it: the members of its team, and whoever has it now. */
function useMembers({ team, member }: Card): { value: string; label: string }[] {
  const { account, api } = useCurrentAccount();
  const path = `/teams/${team?.id}/members`;
  const { data } = useQuery({
    queryKey: [account.id, "list", path],
    queryFn: () => api.list(path, { fields: "name", per_page: "100" }),
    enabled: team !== null,
    staleTime: 60_000,
  });
  const found = (data?.rows ?? []).map(({ id, name }) => ({ value: String(id), label: String(name) }));
  return member === null || found.some(({ value }) => value === String(member.id))
    ? found
    : [{ value: String(member.id), label: member.name }, ...found];
}
