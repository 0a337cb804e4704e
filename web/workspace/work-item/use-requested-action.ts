import { useEffect, useEffectEvent } from "react";
import type { Action } from "../../actions/action.ts";
import { useSearchText } from "../records/use-search-text.ts";

/** Runs the action that another page requested in the address: `?do=reply`. */
export function useRequestedAction(actions: ReadonlyMap<string, Action>): void {
  const [wanted, setWanted] = useSearchText("do");
  const run = useEffectEvent((name: string) => {
    const action = actions.get(`request.${name}`);
    if (action?.when !== false) void action?.run();
    setWanted(undefined);
  });
  useEffect(() => {
    if (wanted !== undefined) run(wanted);
  }, [wanted]);
}
