import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { InboxItem } from "../../api/index.ts";
import { formatWithin } from "../../base/moments.ts";
import { t } from "../../languages/index.ts";
import { choiceExplanation, shortChoiceLabel } from "../../languages/labels.ts";
import { choicesOf } from "../../languages/page-labels.ts";
import { currentTime } from "../../parts/now.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { ImpactIcon } from "../../parts/work/impact.tsx";
import { StatusIcon, statusLabel } from "../../parts/work/status.tsx";
import { listQueries } from "../../queries/records.ts";
import { isNegative, orderStatuses, pickNextStatus } from "../../queries/status-order.ts";
import RefusalDialog from "../work-item/refusal-dialog.tsx";
import "../../styles/request.css";
import { type Answer, type Apply, applyAnswer, isWait } from "./apply-answer.ts";
import { ChoiceDialog, type ChoiceOption } from "./choice-dialog.tsx";
import type { InboxQuestion } from "./inbox-actions.ts";
import { buildWaitMoments } from "./wait-moments.ts";

type Props = { question: InboxQuestion; items: readonly InboxItem[]; onAnswer(answer: Answer): void; onClose(): void };
type DialogProps = Omit<Props, "onAnswer"> & {
  apply: Apply;
  /** called when the answer requires a date to wait until */
  onWait(): void;
};

/** Asks for the new value of a property of the rows. */
export function QuestionDialog({ question, items, apply, onWait, onClose }: DialogProps) {
  const onAnswer = (answer: Answer) => {
    onClose();
    applyAnswer(answer, items, apply);
    if (isWait(answer)) onWait();
  };
  const props = { question, items, onAnswer, onClose };
  if (question === "member") return <MemberDialog {...props} />;
  if (question === "status") return <StatusDialog {...props} />;
  if (question === "impact") return <ImpactDialog {...props} />;
  return <WaitDialog {...props} />;
}

function MemberDialog({ items, onAnswer, onClose }: Props) {
  const { who, api } = useCurrentAccount();
  const team = items[0]?.team?.id;
  const members = useQuery({
    ...listQueries.type(api, "person", { at: `/teams/${team}/members`, fields: ["id", "name"], per_page: "100" }),
    enabled: team !== undefined,
  });
  const rows = members.data?.rows ?? [];
  const ordered = [...rows].sort((one, other) => Number(other.id === who.person.id) - Number(one.id === who.person.id));
  const options = ordered.map(
    (person): ChoiceOption => ({
      id: String(person.id),
      label: person.name,
      icon: <Avatar person={person} silent />,
      ...(person.id === who.person.id ? { lead: t("people.you") } : {}),
    }),
  );
  const choose = (id: string) => {
    const found = rows.find((row) => String(row.id) === id);
    if (found !== undefined) onAnswer({ question: "member", member: { id: found.id, name: found.name } });
  };
  return (
    <ChoiceDialog
      title={t("inbox.assign")}
      options={options}
      loading={members.isPending}
      onChoose={choose}
      onClose={onClose}
    />
  );
}

const statusesWithoutMore = new Set([
  "registered",
  "assigned",
  "accepted",
  "in_progress",
  "waiting_for_customer",
  "declined",
  "on_backlog",
]);

/** The statuses that need nothing else, or only a note: a completion asks for a reason, waiting for a date. */
function StatusDialog({ items, onAnswer, onClose }: Props) {
  const type = items[0]?.type ?? "request";
  const [refusal, setRefusal] = useState<string | null>(null);
  const offered = orderStatuses(choicesOf(`${type}.status`).filter((id) => statusesWithoutMore.has(id)));
  const options = offered.map(
    (id): ChoiceOption => ({
      id,
      label: statusLabel(type, id),
      icon: <StatusIcon type={type} status={id} silent />,
    }),
  );
  if (refusal !== null)
    return (
      <RefusalDialog
        type={type}
        id={items[0]?.id ?? 0}
        status={refusal}
        onRefuse={(note) => onAnswer({ question: "status", status: refusal, note })}
        onClose={onClose}
      />
    );
  return (
    <ChoiceDialog
      title={t("inbox.setStatus")}
      options={options}
      initial={pickNextStatus(items[0]?.status, offered)}
      onChoose={(status) => (isNegative(status) ? setRefusal(status) : onAnswer({ question: "status", status }))}
      onClose={onClose}
    />
  );
}

function ImpactDialog({ items, onAnswer, onClose }: Props) {
  const options = choicesOf(`${items[0]?.type ?? "request"}.impact`).map(
    (id): ChoiceOption => ({
      id,
      label: shortChoiceLabel("request.impact", id),
      lead: choiceExplanation("request.impact", id),
      icon: <ImpactIcon impact={id} silent />,
    }),
  );
  return (
    <ChoiceDialog
      title={t("inbox.setImpact")}
      options={options}
      onChoose={(impact) => onAnswer({ question: "impact", impact })}
      onClose={onClose}
    />
  );
}

function WaitDialog({ onAnswer, onClose }: Props) {
  const now = currentTime();
  const options = buildWaitMoments(now).map(
    ({ key, at }): ChoiceOption => ({
      id: new Date(at).toISOString(),
      label: t(`inbox.wait.${key}`),
      lead: formatWithin(at, now),
    }),
  );
  return (
    <ChoiceDialog
      title={t("inbox.wait")}
      options={options}
      onChoose={(until) => onAnswer({ question: "wait", until })}
      onClose={onClose}
    />
  );
}
