import { useEffect, useState } from "react";
import { showError } from "../elements/toast.tsx";

/** Code loaded on first use; null until then, so that a menu opens with its content. */
export function useLoaded<Module extends object>(load: () => Promise<Module>, isWanted: boolean): Module | null {
  const [loaded, setLoaded] = useState<Module | null>(null);
  useEffect(() => {
    if (isWanted) load().then(setLoaded, showError);
  }, [isWanted, load]);
  return loaded;
}
