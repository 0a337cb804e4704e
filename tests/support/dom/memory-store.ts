// Stands for idb-keyval in component tests: the database of the browser, in memory.

const values = new Map<IDBValidKey, unknown>();

export const clearStore = (): void => values.clear();

export const get = async <T>(key: IDBValidKey): Promise<T | undefined> => values.get(key) as T | undefined; // what `set` put there
export const set = async (key: IDBValidKey, value: unknown): Promise<void> => void values.set(key, value);
export const del = async (key: IDBValidKey): Promise<void> => void values.delete(key);
export const update = async <T>(key: IDBValidKey, change: (old: T | undefined) => T): Promise<void> =>
  void values.set(key, change(values.get(key) as T | undefined)); // what `update` put there
