import { type DraftPlaces, DraftStore, type StoredDraft } from "./draft-store.ts";

/**
 * The drafts of a page. A store is held while an input uses it or until the server has all of it. A closed form can
 * still change its draft when its call returns; until then, a form that opens again gets the same store.
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

  /** Applies a change by another tab. */
  receive(key: string, draft: StoredDraft | null): void {
    this.known.get(key)?.deref()?.receive(draft);
  }

  listHeld(): readonly DraftStore[] {
    return [...this.held.values()];
  }
}
