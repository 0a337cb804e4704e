// Collects what the records of one level need, and loads it with one statement: the executor calls the resolvers of all
// records of a level before any of their answers, so all of them are in the batch when it is sent.

type Batch<K, V> = { waiting: Map<K, { resolve(found: V | undefined): void; reject(error: unknown): void }[]> };

/** Statements of one call that run at the same time: a call that is stopped has loaded no more than these for nothing. */
const maxRunning = 4;

export class Batches {
  private readonly pending = new Map<string, Batch<unknown, unknown>>();
  /** those that wait until a level is complete; null: none has to wait */
  private held: (() => void)[] | null = null;
  private refusal: unknown = null;
  private running = 0;
  private readonly queue: (() => void)[] = [];

  /** The executor has not called all resolvers of the level yet. */
  hold(): void {
    this.held ??= [];
  }

  release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const send of held) send();
  }

  /** Nothing is loaded any more. */
  stop(refusal: unknown): void {
    this.refusal = refusal;
    this.release();
  }

  /** The value of a key; all keys that are requested under the same name are loaded together. */
  load<K, V>(
    name: string,
    key: K,
    loadAll: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  ): Promise<V | undefined> {
    let batch = this.pending.get(name) as Batch<K, V> | undefined;
    if (batch === undefined) {
      const started: Batch<K, V> = { waiting: new Map() };
      batch = started;
      this.pending.set(name, started as Batch<unknown, unknown>);
      const send = () => {
        this.pending.delete(name);
        void this.send(started, loadAll);
      };
      setImmediate(() => {
        if (this.held === null) send();
        else this.held.push(send);
      });
    }
    const { waiting } = batch;
    return new Promise((resolve, reject) => {
      const others = waiting.get(key);
      if (others === undefined) waiting.set(key, [{ resolve, reject }]);
      else others.push({ resolve, reject });
    });
  }

  private async send<K, V>(
    { waiting }: Batch<K, V>,
    loadAll: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  ): Promise<void> {
    if (this.running >= maxRunning) await new Promise<void>((resolve) => this.queue.push(resolve));
    this.running++;
    try {
      if (this.refusal !== null) throw this.refusal;
      const found = await loadAll([...waiting.keys()]);
      for (const [key, all] of waiting) for (const { resolve } of all) resolve(found.get(key));
    } catch (error) {
      for (const all of waiting.values()) for (const { reject } of all) reject(error);
    } finally {
      this.running--;
      this.queue.shift()?.();
    }
  }
}
