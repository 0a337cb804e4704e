import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Action } from "../../actions/action.ts";

/** `?do=reply` in the address: another page asked for it. */
export function useWanted(actions: ReadonlyMap<string, Action>): void {
  const { do: wanted } = useSearch({ strict: false }) as { do?: string };
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the address asks
  useEffect(() => {
    if (wanted === undefined) return;
    const action = actions.get(`request.${wanted}`);
    if (action?.when !== false) void action?.run();
    void navigate({ to: ".", search: ((was: object) => ({ ...was, do: undefined })) as never, replace: true });
  }, [wanted]);
}
