import { Button } from "@mantine/core";
import { formatAhead } from "../../base/moments.ts";
import { errorText } from "../../elements/error-text.ts";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { useNow } from "../../parts/now.ts";
import type { TaskGraph } from "../../queries/task-graph.ts";
import type { PlanEdit } from "./use-plan-edit.ts";

/** The consequences of a move, before it is saved. */
export function PlanBar({ graph, plan }: { graph: TaskGraph; plan: PlanEdit }) {
  const now = useNow();
  const { edit, preview, shifted } = plan;
  if (edit === null) return null;
  const subject = graph.tasks.find(({ id }) => id === edit.id)?.subject ?? "";
  const own = shifted.get(edit.id);
  const others = [...shifted.keys()].filter((id) => id !== edit.id).length;
  const [before, after] = [graph.ends_at, preview?.ends_at ?? null];
  return (
    <section className="move-bar" aria-label={t("workflow.preview")}>
      <div className="move-bar-words">
        <b>{subject}</b>{" "}
        {plan.problem !== null ? (
          <span className="form-error">{errorText(plan.problem)}</span>
        ) : (
          <>
            {own !== undefined && (
              <span className="numbers">
                {t("workflow.preview.span", {
                  from: formatAhead(own.start, now),
                  until: formatAhead(own.end, now),
                })}{" "}
              </span>
            )}
            <span>{t("workflow.preview.others", { count: others })}</span>{" "}
            {after !== null && (
              <span className="numbers">
                {before === after
                  ? t("workflow.preview.sameEnd")
                  : t("workflow.preview.end", { end: formatAhead(Date.parse(after), now) })}
              </span>
            )}
          </>
        )}
      </div>
      <Button variant="default" size="xs" onClick={plan.cancel} rightSection={<Kbd keys="escape" />}>
        {t("form.cancel")}
      </Button>
      <Button size="xs" loading={plan.isSaving} onClick={() => void plan.save()} rightSection={<Kbd keys="enter" />}>
        {t("form.save")}
      </Button>
    </section>
  );
}
