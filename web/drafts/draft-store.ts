import { type Draft, emptyDraft, isEmptyDraft, isSameDraft, parseDraft } from "./draft.ts";

// A draft is stored in this browser immediately, and on the server two seconds later and when the page is closed. One
// store per key serves all inputs of a page, and outlives them: an upload that ends after the person left the page
// still joins its draft.

export type StoredDraft = Draft & {
  at: string;
  /** whether the server has this version; stored only in this browser */
  isSent?: boolean;
};

/** Where drafts are stored. */
export type DraftPlaces = {
  local: {
    get(key: string): Promise<unknown>;
    set(key: string, draft: StoredDraft): Promise<void>;
    /** for a page that is being closed and can't wait */
    setAtOnce(key: string, draft: StoredDraft): void;
    remove(key: string): Promise<void>;
  };
  server: {
    /** undefined: the server has none */
    load(): Promise<unknown>;
    /** `isLeaving`: the page is being closed, and the call continues without it */
    put(draft: Omit<StoredDraft, "isSent">, isLeaving: boolean): Promise<unknown>;
    remove(): Promise<unknown>;
    /** whether the server would reject the same call again */
    isRefusal(error: unknown): boolean;
  };
  /** the same draft in the other tabs */
  tabs: { post(draft: StoredDraft | null): void };
  /** `isBusy`: an input uses the draft, or a part of it is unsent */
  onBusy?(isBusy: boolean): void;
  upload(file: File): Promise<{ key: string }>;
  now(): string;
};

export type Upload = { id: string; name: string; size: number; isPicture: boolean; field: string | undefined };

export type DraftState = {
  draft: Draft;
  /** false until the stored draft is loaded: it would overwrite an input shown before */
  isLoaded: boolean;
  /** a draft found when the page opened: when it was written, and whether in another browser */
  restored: { at: string; elsewhere: boolean } | null;
  /** whether this browser or the server has all of it; files still uploading are not part of it yet */
  isStored: boolean;
  uploads: readonly Upload[];
};

export type UploadOptions = {
  /** the form field of the files; undefined: they belong to the text */
  field: string | undefined;
  onBegun(upload: string, file: File, isPicture: boolean): void;
  onUploaded(upload: string, key: string): void;
  onFailure(error: unknown): void;
};

const serverDelay = 2000; // milliseconds
const longestDelay = 60_000; // between retries while the server is unreachable

export class DraftStore {
  private state: DraftState = { draft: emptyDraft, isLoaded: false, restored: null, isStored: true, uploads: [] };
  private readonly listeners = new Set<() => void>();
  private readonly key: string;
  private readonly places: DraftPlaces;
  private at = "";
  /**
   * counts the changes of the draft, including those of other tabs: a response to a call from before a change is
   * outdated
   */
  private version = 0;
  /** whether the server has this version */
  private isSent = false;
  /** changes since the last load; loaded data must not replace them */
  private isChanged = false;
  /** whether the server has any version; null: unknown */
  private isOnServer: boolean | null = null;
  private unsent = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** attempts in a row that did not reach the server */
  private failures = 0;
  /** Calls are sent in order, so that a removed draft doesn't reappear. */
  private calls: Promise<unknown> = Promise.resolve();

  /** `key`: the key in this browser's storage */
  constructor(key: string, places: DraftPlaces) {
    this.key = key;
    this.places = places;
  }

  getState = (): DraftState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.reportBusy();
    if (this.listeners.size === 1) void this.load();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.flush();
      void this.calls.then(() => this.reportBusy());
    };
  };

  get isUsed(): boolean {
    return this.listeners.size > 0;
  }

  set = (change: Partial<Draft> | ((was: Draft) => Partial<Draft>)): void => {
    const was = this.state.draft;
    const draft = { ...was, ...(typeof change === "function" ? change(was) : change) };
    if (isSameDraft(was, draft)) return;
    this.version++;
    this.isChanged = true;
    this.unsent = true;
    this.reportBusy();
    this.show({ draft, isStored: false });
    this.keep(draft, this.places.now(), false);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), serverDelay);
  };

  setText = (text: string): void => this.set({ text });

  /** The draft was sent or discarded. */
  remove = (): void => {
    this.set(emptyDraft);
    this.show({ restored: null });
    this.flush();
  };

  /** Uploads files immediately; each joins the draft when its upload is complete. */
  upload(files: readonly File[], { field, onBegun, onUploaded, onFailure }: UploadOptions): void {
    for (const file of files) {
      const { name, size } = file;
      const isPicture = /^image\/(png|jpe?g|gif|webp|avif)$/.test(file.type);
      const upload: Upload = { id: crypto.randomUUID(), name, size, isPicture, field };
      onBegun(upload.id, file, isPicture);
      this.show({ uploads: [...this.state.uploads, upload] });
      this.reportBusy();
      const isWanted = () => this.state.uploads.some(({ id }) => id === upload.id);
      this.places.upload(file).then(
        ({ key }) => {
          if (!isWanted()) return;
          onUploaded(upload.id, key);
          const added = { key, name, size, isPicture, ...(field === undefined ? {} : { field }) };
          this.set(({ files: before }) => ({ files: [...before, added] }));
          this.removeFile(upload.id);
        },
        (error: unknown) => {
          if (!isWanted()) return;
          this.removeFile(upload.id);
          onFailure(error);
        },
      );
    }
  }

  /** `id`: the key of a file, or a running upload. */
  removeFile(id: string): void {
    this.show({ uploads: this.state.uploads.filter((upload) => upload.id !== id) });
    this.set(({ files }) => ({ files: files.filter(({ key }) => key !== id) }));
    this.reportBusy();
  }

  /** Sends the latest version to the server now. */
  flush(isLeaving = false): void {
    clearTimeout(this.timer);
    if (!this.unsent) return;
    this.unsent = false;
    const { draft } = this.state;
    const { at, version } = this;
    const isEmpty = isEmptyDraft(draft);
    // The server may reject it: the session may have ended.
    if (isLeaving && !this.state.isStored) this.places.local.setAtOnce(this.key, { ...draft, at, isSent: false });
    if (isEmpty && this.isOnServer === false) {
      void this.places.local.remove(this.key).catch(() => {});
      return; // sent before this browser stored it
    }
    this.isOnServer = !isEmpty;
    const { server } = this.places;
    const call = () => (isEmpty ? server.remove() : server.put({ ...draft, at }, isLeaving));
    this.calls = (isLeaving ? call() : this.calls.then(call)).then(
      () => {
        this.failures = 0;
        // Changed since: the newer version will be sent.
        if (this.version !== version) return;
        this.keep(draft, at, true);
        this.show({ isStored: true });
        this.reportBusy();
      },
      (error: unknown) => {
        // The draft stays in this browser, and is sent after the next change and when the connection is back. A browser
        // may report a connection before it has one, and doesn't report it again.
        if (isEmpty) this.isOnServer = null;
        if (this.version !== version) return;
        this.unsent = true;
        if (this.places.server.isRefusal(error)) return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.flush(), Math.min(serverDelay * 2 ** this.failures++, longestDelay));
      },
    );
  }

  /** A change by another tab of this browser. */
  receive(stored: StoredDraft | null): void {
    this.apply(stored === null ? emptyDraft : parseDraft(stored), stored?.at ?? "", stored?.isSent === true);
    this.unsent = false;
    clearTimeout(this.timer);
    this.isOnServer = null;
    this.show({ restored: null, isStored: true });
  }

  /** Compares with the server: another device may have continued or sent the draft. */
  async refresh(): Promise<void> {
    const { version } = this;
    const found = await this.places.server.load().catch(() => null);
    if (found === null || this.isChanged || this.version !== version) return; // unreachable, or changed meanwhile
    this.isOnServer = found !== undefined;
    const at = isStored(found) ? found.at : "";
    const serverDraft = parseDraft(found);
    if (!this.isSent && at <= this.at) {
      this.unsent = this.at !== "";
      return this.flush();
    }
    const isNews = !isSameDraft(serverDraft, this.state.draft);
    this.apply(serverDraft, at, true);
    if (!isNews) return;
    this.keep(serverDraft, at, true);
    this.show({ restored: isEmptyDraft(serverDraft) ? null : { at, elsewhere: true } });
  }

  private async load(): Promise<void> {
    this.isChanged = false;
    const local = await this.places.local.get(this.key).catch(() => undefined);
    if (!this.isChanged && isStored(local)) {
      this.apply(parseDraft(local), local.at, local.isSent === true);
      if (!isEmptyDraft(this.state.draft)) this.show({ restored: { at: local.at, elsewhere: false } });
    }
    this.show({ isLoaded: true });
    await this.refresh();
  }

  private apply(draft: Draft, at: string, isSent: boolean): void {
    this.version++;
    this.at = at;
    this.isSent = isSent;
    this.show({ draft });
  }

  /**
   * Stores the draft in this browser. An empty draft stays until the server has removed its own; otherwise that one
   * would reappear.
   */
  private keep(draft: Draft, at: string, isSent: boolean): void {
    this.at = at;
    this.isSent = isSent;
    if (isSent) this.isChanged = false;
    const { version } = this;
    const { local, tabs } = this.places;
    const isGone = isSent && isEmptyDraft(draft);
    const stored = { ...draft, at, isSent };
    (isGone ? local.remove(this.key) : local.set(this.key, stored)).then(
      () => this.version === version && this.show({ isStored: true }),
      () => {}, // storage is disabled: the server gets it in two seconds
    );
    tabs.post(isGone ? null : stored);
  }

  private reportBusy(): void {
    this.places.onBusy?.(this.isUsed || this.unsent || this.state.uploads.length > 0);
  }

  private show(part: Partial<DraftState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

const isStored = (value: unknown): value is StoredDraft =>
  typeof value === "object" && value !== null && "at" in value && typeof value.at === "string";
