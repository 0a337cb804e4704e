// The topics that the components of this tab subscribe to.

const counts = new Map<string, number>();
const listeners = new Set<() => void>();

export const currentTopics = (): string[] => [...counts.keys()];

export function addTopics(topics: readonly string[]): () => void {
  for (const topic of topics) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  announce();
  return () => {
    for (const topic of topics) {
      const count = (counts.get(topic) ?? 1) - 1;
      if (count === 0) counts.delete(topic);
      else counts.set(topic, count);
    }
    announce();
  };
}

function announce(): void {
  for (const listener of listeners) listener();
}

export const onTopicsChange = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
