// Replaces idb-keyval, the browser's database, with a store in memory for component tests.

const values = new Map<IDBValidKey, unknown>();

export const clearStore = (): void => values.clear();

export const get = async <T>(key: IDBValidKey): Promise<T | undefined> => values.get(key) as T | undefined; // the value that `set` stored
export const set = async (key: IDBValidKey, value: unknown): Promise<void> => void values.set(key, value);
export const del = async (key: IDBValidKey): Promise<void> => void values.delete(key);
export const update = async <T>(key: IDBValidKey, change: (old: T | undefined) => T): Promise<void> =>
  void values.set(key, change(values.get(key) as T | undefined)); // the value that `update` stored
