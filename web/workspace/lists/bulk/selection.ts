import { useReducer } from "react";
import { type Total, toCount } from "../../../queries/total.ts";

// The selected rows: some of the loaded ones by id, or all matching ones, loaded or not.

type State = { ids: ReadonlySet<number>; all: boolean; anchor: number | null };
type Step =
  | { do: "toggle"; id: number; loaded: readonly number[] }
  | { do: "extend"; id: number; loaded: readonly number[] }
  | { do: "loaded"; loaded: readonly number[] }
  | { do: "all" }
  | { do: "clear" };

const nothing: State = { ids: new Set(), all: false, anchor: null };

function reduce(state: State, step: Step): State {
  if (step.do === "clear") return nothing;
  if (step.do === "all") return { ...state, all: true };
  if (step.do === "loaded") return { ids: new Set(step.loaded), all: false, anchor: state.anchor };
  if (step.do === "toggle") {
    const ids = new Set(state.all ? step.loaded : state.ids);
    if (!ids.delete(step.id)) ids.add(step.id);
    return { ids, all: false, anchor: step.id };
  }
  const [from, to] = [step.loaded.indexOf(state.anchor ?? step.id), step.loaded.indexOf(step.id)];
  const range = step.loaded.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...state.ids, ...range]), all: false, anchor: state.anchor ?? step.id };
}

export type Selection = {
  ids: ReadonlySet<number>;
  all: boolean;
  count: number;
  /** for messages: all records of a list with an approximate total are "about 12,300" */
  shownCount: string | number;
  has(id: number): boolean;
  toggle(id: number): void;
  /** all rows between the last one that was toggled and this one */
  extendTo(id: number): void;
  selectLoaded(): void;
  selectAll(): void;
  clear(): void;
};

export function useSelection(loaded: readonly number[], list: Total): Selection {
  const [{ ids, all }, act] = useReducer(reduce, nothing);
  return {
    ids,
    all,
    count: all ? list.total : ids.size,
    shownCount: all ? toCount(list) : ids.size,
    has: (id) => all || ids.has(id),
    toggle: (id) => act({ do: "toggle", id, loaded }),
    extendTo: (id) => act({ do: "extend", id, loaded }),
    selectLoaded: () => act({ do: "loaded", loaded }),
    selectAll: () => act({ do: "all" }),
    clear: () => act({ do: "clear" }),
  };
}
