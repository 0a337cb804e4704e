import { useCallback, useLayoutEffect, useState } from "react";

/** A handler that stays the same function, so that rows need not be drawn again. */
export function useStableHandler<Given extends unknown[]>(
  handler: (...given: Given) => void,
): (...given: Given) => void {
  const [latest] = useState({ handler });
  // Before anything can be pressed: a handler of the render before would act on rows that are no longer there.
  useLayoutEffect(() => {
    latest.handler = handler;
  });
  return useCallback((...given: Given) => latest.handler(...given), [latest]);
}
