import { type DraftPlaces, DraftStore, type StoredDraft } from "./draft-store.ts";

/**
 * The drafts of a page. A store is held while an input uses it or the server lacks something of it. A form that was closed
 * can still change its draft, when its call is answered; as long as it can, a form that opens again gets the same store.
 */
export class DraftStores {
  private readonly held = new Map<string, DraftStore>();
  private readonly known = new Map<string, WeakRef<DraftStore>>();
  private readonly collected = new FinalizationRegistry<string>((key) => {
    if (this.known.get(key)?.deref() === undefined) this.known.delete(key);
  });

  open(key: string, places: DraftPlaces): DraftStore {
    const found = this.known.get(key)?.deref();
    if (found !== undefined) return found;
    const store: DraftStore = new DraftStore(key, {
      ...places,
      onBusy: (isBusy) => void (isBusy ? this.held.set(key, store) : this.held.delete(key)),
    });
    this.known.set(key, new WeakRef(store));
    this.collected.register(store, key);
    return store;
  }

  /** What another tab has written. */
  receive(key: string, draft: StoredDraft | null): void {
    this.known.get(key)?.deref()?.receive(draft);
  }

  listHeld(): readonly DraftStore[] {
    return [...this.held.values()];
  }
}
