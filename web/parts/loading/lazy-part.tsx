import { type ComponentType, use } from "react";

export type LazyPart<Props> = ComponentType<Props> & { preload(): Promise<void> };

/**
 * A part that is loaded when it is first wanted. Once it is loaded, by `preload` too, it is drawn at once. With React's own
 * `lazy` the first drawing always shows the fallback, and React keeps a fallback for 300 ms.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let Part: ComponentType<Props> | null = null;
  let loading: Promise<void> | null = null;
  const preload = (): Promise<void> => {
    loading ??= load().then(
      (loaded) => {
        Part = loaded;
      },
      (error: unknown) => {
        // A later try loads it again. The drawing that waits for this one must meet the failure, else it would wait forever.
        setTimeout(() => {
          loading = null;
        }, 1000);
        throw error;
      },
    );
    return loading;
  };
  function Lazy(props: Props) {
    if (Part === null) use(preload());
    const Loaded = Part as ComponentType<Props> | null;
    return Loaded === null ? null : <Loaded {...props} />;
  }
  return Object.assign(Lazy, { preload });
}
