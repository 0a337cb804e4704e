import { type ComponentType, useEffect, useState } from "react";
import type { LazyPart } from "../../elements/lazy-part.tsx";
import { declareLoading } from "../../elements/load-code.ts";
import { waitForConnection } from "../../live/connectivity.ts";
import { LoadingSkeleton } from "../loading-skeleton.tsx";

const ignore = (): void => {};

/**
 * A screen for the router, which shows the previous screen until `preload` has ended. Without a connection that happens
 * immediately: the new screen says that it is waiting, and appears when the connection is back.
 */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const loading = declareLoading(load);
  function Screen(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(loading.getLoaded);
    const [error, setError] = useState<unknown>(null);
    useEffect(() => {
      if (Part === null) loading.load().then(() => setPart(loading.getLoaded), setError);
    }, [Part]);
    if (error !== null) throw error;
    return Part === null ? <LoadingSkeleton rows={10} /> : <Part {...props} />;
  }
  // A failure recurs when the screen is rendered, and is shown in its place.
  const preload = () => Promise.race([loading.load(), waitForConnection(false)]).then(ignore, ignore);
  return Object.assign(Screen, { preload });
}
