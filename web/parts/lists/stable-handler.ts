import { useCallback, useLayoutEffect, useState } from "react";

/** A handler with a stable identity, so that rows needn't be re-rendered. */
export function useStableHandler<Args extends unknown[]>(handler: (...args: Args) => void): (...args: Args) => void {
  const [latest] = useState({ handler });
  // A layout effect, because a handler of the previous render would act on rows that no longer exist.
  useLayoutEffect(() => {
    latest.handler = handler;
  });
  return useCallback((...args: Args) => latest.handler(...args), [latest]);
}
