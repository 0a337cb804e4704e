import { useNavigate, useSearch } from "@tanstack/react-router";

/** A parameter of the address, such as `?tab=history`, and a function that replaces it. */
export function useSearchText(name: string): [string | undefined, (value: string | undefined) => void] {
  const search: object = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (value: string | undefined) => {
    const change = (was: object) => ({ ...was, [name]: value });
    // Routes declare no parameters, so the router accepts none.
    void navigate({ to: ".", search: change as never, replace: true });
  };
  const value: unknown = new Map(Object.entries(search)).get(name);
  return [typeof value === "string" ? value : undefined, set];
}
