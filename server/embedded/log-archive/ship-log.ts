import { createReadStream } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import { describeError, type Log } from "../../base/log.ts";
import type { FileStore } from "../../files/index.ts";
import { buildLogKey, isArchivedName, spoolPath } from "./log-archive-settings.ts";

const pollMilliseconds = 1000;
/** A piece of the log has 16 MB; compressed it may be a little larger. */
const maxPieceSize = 64 * 1024 * 1024;

/** Sends pieces of the log to the archive, oldest first, and removes those that have arrived. */
export class LogShipper {
  private readonly spool: string;
  private readonly store: FileStore;
  private readonly log: Log;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;
  private isFailing = false;

  /** `directory`: of the embedded database */
  constructor(directory: string, store: FileStore, log: Log) {
    this.spool = spoolPath(directory);
    this.store = store;
    this.log = log;
  }

  start(): void {
    this.running = this.ship().finally(() => {
      if (!this.isStopped) this.timer = setTimeout(() => this.start(), pollMilliseconds);
    });
  }

  /** Sends what is there, and nothing more. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
    await this.ship();
  }

  /** An unavailable archive loses nothing: the segments wait on the disk. */
  private async ship(): Promise<void> {
    try {
      await mkdir(this.spool, { recursive: true, mode: 0o700 });
      for (const name of (await readdir(this.spool)).filter(isArchivedName).sort()) await this.shipOne(name);
      if (this.isFailing) this.log.info("the archive of the database is reached again");
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log.error("the log of the database could not be archived", describeError(error));
      this.isFailing = true;
    }
  }

  private async shipOne(name: string): Promise<void> {
    const piece = createReadStream(join(this.spool, name));
    const compressed = piece.pipe(createGzip({ level: 4 }));
    piece.on("error", (error) => compressed.destroy(error));
    await this.store.write(buildLogKey(name), compressed, maxPieceSize);
    await rm(join(this.spool, name));
  }
}
