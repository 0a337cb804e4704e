import { useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect, useRef } from "react";
import { CurrentAccountContext } from "../../api/current-account.ts";
import { keptApi, onAnsweredCall } from "../../api/index.ts";
import { isAdministrator } from "../../base/permissions.ts";
import { showError } from "../../elements/toast.tsx";
import { changeKept, useKept } from "../../queries/kept/kept-items.ts";
import { findStep, firstSteps } from "./steps.ts";

type State = { done: readonly string[]; skipped: readonly string[]; hidden: boolean };
const initial: State = { done: [], skipped: [], hidden: false };
const key = "first-steps";

/** An administrator's progress; stored on the server, so another browser continues there. Null: nothing to show. */
export function useFirstSteps(wanted = true) {
  const here = useContext(CurrentAccountContext);
  const queries = useQueryClient();
  const isFor = here !== null && isAdministrator(here.account.roles);
  const { data } = useKept<Partial<State>>("tour", isFor && wanted);
  const account = here?.account.id ?? "";
  const kept = data?.find((item) => item.key === key)?.value;
  const state: State | null = !isFor || data === undefined ? null : { ...initial, ...kept };
  const write = (value: State) => {
    changeKept<Partial<State>>(queries, account, "tour", (items) => [
      ...items.filter((item) => item.key !== key),
      { key, owner: "me", value, updated_at: new Date().toISOString() },
    ]);
    keptApi(account).put("tour", key, value).catch(showError);
  };
  if (state === null) return null;
  const isSettled = (id: string): boolean => state.done.includes(id) || state.skipped.includes(id);
  return {
    state,
    isSettled,
    isComplete: firstSteps.every(({ id }) => isSettled(id)),
    finish: (id: string) => state.done.includes(id) || write({ ...state, done: [...state.done, id] }),
    skip: (id: string) => isSettled(id) || write({ ...state, skipped: [...state.skipped, id] }),
    setHidden: (hidden: boolean) => state.hidden === hidden || write({ ...state, hidden }),
  };
}

/** Mounted once: marks completed steps. */
export function useTrackFirstSteps(steps: ReturnType<typeof useFirstSteps>): void {
  const latest = useRef(steps);
  useEffect(() => {
    latest.current = steps;
  });
  useEffect(
    () =>
      onAnsweredCall((method, path) => {
        const step = findStep(method, path);
        if (step !== undefined) latest.current?.finish(step.id);
      }),
    [],
  );
}
