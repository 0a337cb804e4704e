import { useNavigate, useSearch } from "@tanstack/react-router";

// State that a page keeps in its address: filters, tabs, and values from a link.

type Search<Name extends string> = { [N in Name]?: string };
/** `adds`: adds an entry to the browser history */
type SetSearch<Name extends string> = (change: Search<Name>, options?: { adds?: boolean }) => void;

/** The parameters with these names, and a function that changes some of them; an empty value removes one. */
export function useAddressSearch<const Name extends string>(
  ...names: readonly Name[]
): [search: Search<Name>, set: SetSearch<Name>] {
  const current: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search: Search<Name> = {};
  for (const name of names) {
    const value = current[name];
    if (typeof value === "string") search[name] = value;
  }
  const set: SetSearch<Name> = (change, { adds = false } = {}) => {
    const merge = (was: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(
        Object.entries({ ...was, ...change }).filter(([, value]) => value !== undefined && value !== ""),
      );
    // The routes declare no parameters, so the router doesn't know their types.
    void navigate({ to: ".", search: merge as never, replace: !adds });
  };
  return [search, set];
}
