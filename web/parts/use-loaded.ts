import { useEffect, useState } from "react";
import { showError } from "../elements/toast.tsx";

/** Code that comes when it is first wanted; null until it is there, so that a menu opens with its content. */
export function useLoaded<Module extends object>(load: () => Promise<Module>, isWanted: boolean): Module | null {
  const [loaded, setLoaded] = useState<Module | null>(null);
  useEffect(() => {
    if (isWanted) load().then(setLoaded, showError);
  }, [isWanted, load]);
  return loaded;
}
