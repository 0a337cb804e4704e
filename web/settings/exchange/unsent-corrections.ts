import { useEffect, useState } from "react";
import type { Corrections } from "../../api/exchange.ts";

/** Corrections that the next check will send. They survive a reload: a record may have been created for one of them. */
export function useUnsentCorrections(token: string) {
  const key = `corrections of import ${token}`;
  const [corrections, setCorrections] = useState<Corrections>(
    () => JSON.parse(sessionStorage.getItem(key) ?? "{}") as Corrections,
  );
  useEffect(() => {
    if (Object.keys(corrections).length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(corrections));
  }, [key, corrections]);
  return [corrections, setCorrections] as const;
}
