import { type ReactNode, Suspense, useCallback, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { type Changes, type Collision, CollisionContext } from "./use-save.ts";

// Two people changed the same field: shows both values side by side, and overwrites nothing without asking.

type Question = { collisions: readonly Collision[]; answer(chosen: Changes | null): void };

// Rarely needed, and it loads the text comparison as well.
const CollisionDialog = lazyPart(async () => (await import("./collision-choice.tsx")).CollisionDialog);

export function CollisionGuard({ type, children }: { type: RecordType; children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const pending = useRef<Question | null>(null);
  const choose = useCallback(
    (collisions: readonly Collision[]) =>
      new Promise<Changes | null>((resolve) => {
        pending.current = { collisions, answer: resolve };
        setQuestion(pending.current);
      }),
    [],
  );
  const answer = (chosen: Changes | null) => {
    pending.current?.answer(chosen);
    pending.current = null;
    setQuestion(null);
  };
  return (
    <CollisionContext value={choose}>
      {children}
      <Suspense fallback={null}>
        {question !== null && <CollisionDialog type={type} collisions={question.collisions} onAnswer={answer} />}
      </Suspense>
    </CollisionContext>
  );
}
