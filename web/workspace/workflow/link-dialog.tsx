import { Button } from "@mantine/core";
import { useState } from "react";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import type { NamedSteps } from "./task-look.ts";

type Props = {
  graph: NamedSteps;
  order: readonly number[];
  from: number;
  /** returns the reason why it is impossible, or null */
  onLink(to: number): Promise<string | null>;
  onClose(): void;
};

/** The keyboard alternative to dragging a line from node to node. */
export default function LinkTaskDialog({ graph, order, from, onLink, onClose }: Props) {
  const [to, setTo] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const subject = (id: number) => graph.tasks.find((task) => task.id === id)?.subject ?? "";
  const submit = async () => {
    if (to === null) return;
    const refused = await onLink(Number(to));
    if (refused === null) onClose();
    else setProblem(refused);
  };
  return (
    <Dialog title={t("workflow.link")} onClose={onClose}>
      <form
        className="choose-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Select
          label={t("workflow.link.follows", { subject: subject(from) })}
          data-autofocus
          searchable
          comboboxProps={{ position: "bottom", middlewares: { flip: false } }}
          maxDropdownHeight={200}
          data={order
            .map((id, at) => ({ value: String(id), label: `${at + 1} ${subject(id)}` }))
            .filter(({ value }) => value !== String(from))}
          value={to}
          error={problem}
          onChange={(value) => {
            setTo(value);
            setProblem(null);
          }}
        />
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" disabled={to === null}>
            {t("workflow.link.do")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
