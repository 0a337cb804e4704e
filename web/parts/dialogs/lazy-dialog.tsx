import { type ComponentType, Suspense } from "react";
import { type LazyPart, lazyPart } from "../../elements/lazy-part.tsx";
import { LoadingDialog } from "./dialog-loading.tsx";

/** A dialog loaded on first use. It captures the keyboard from that moment, as if it were already rendered. */
export function lazyDialog<Props extends { onClose(): void }>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  const Content = lazyPart(load);
  function LazyDialog(props: Props) {
    return (
      <Suspense fallback={<LoadingDialog onClose={props.onClose} />}>
        <Content {...props} />
      </Suspense>
    );
  }
  return Object.assign(LazyDialog, { preload: Content.preload });
}
