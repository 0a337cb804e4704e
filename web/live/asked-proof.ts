import { useSyncExternalStore } from "react";
import { askForProofBy, type ProofMethod } from "../api.ts";

// Some calls are refused until the person has proved again who they are. They wait here and are then made again; whoever
// closes the dialog gets the refusal.

type Question = { methods: readonly ProofMethod[]; answer(isProven: boolean): void };

let question: (Question & { promise: Promise<boolean> }) | null = null;
const listeners = new Set<() => void>();
const publish = (): void => {
  for (const listener of listeners) listener();
};

askForProofBy((methods) => {
  if (question === null) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const answer = (isProven: boolean): void => {
      question = null;
      publish();
      resolve(isProven);
    };
    question = { methods, answer, promise };
    publish();
  }
  return question.promise;
});

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useAskedProof = (): Question | null => useSyncExternalStore(subscribe, () => question);
