import { type ComponentType, type ReactNode, use } from "react";
import { declareLoading, type Loading } from "./load-code.ts";

export type LazyPart<Props> = ((props: Props) => ReactNode) & { preload(): Promise<void> };

/**
 * A component loaded on first use. Once loaded, by `preload` too, it renders immediately. React's own `lazy` always
 * renders the fallback first and keeps it for 300 ms. Without a connection the fallback stays until there is one.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const loading: Loading<ComponentType<Props>> = declareLoading(load);
  function Lazy(props: Props) {
    const Part = use(loading.load());
    return <Part {...props} />;
  }
  return Object.assign(Lazy, { preload: () => loading.load().then(() => {}) });
}
