import { useCallback, useLayoutEffect, useState } from "react";

/** A handler with a stable identity, so that rows needn't be re-rendered. */
export function useStableHandler<Given extends unknown[]>(
  handler: (...given: Given) => void,
): (...given: Given) => void {
  const [latest] = useState({ handler });
  // A layout effect, because a handler of the previous render would act on rows that no longer exist.
  useLayoutEffect(() => {
    latest.handler = handler;
  });
  return useCallback((...given: Given) => latest.handler(...given), [latest]);
}
