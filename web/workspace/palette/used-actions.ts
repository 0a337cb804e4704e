// Counts how often each action was run from the palette in this browser: the five most used are offered first.

const storageKey = "steward-used-actions";

export function loadUsedActions(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "{}");
  } catch {
    return {};
  }
}

export function countAction(id: string): void {
  const used = loadUsedActions();
  try {
    localStorage.setItem(storageKey, JSON.stringify({ ...used, [id]: (used[id] ?? 0) + 1 }));
  } catch {
    // storage is disabled: no action is offered first
  }
}
