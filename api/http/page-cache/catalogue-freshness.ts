import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  catalogueTags,
  openCatalogueChannel,
  type CatalogueChannel,
} from '../../../db/catalog/catalogue-change/catalogue-channel';

/** Cached pages are never served if the last read of changes is older, even if no change was announced. */
const MAX_AGE_MS = 1_000;
/** From this age on, changes are read in the background, so that no request has to wait for them. */
const REFRESH_AGE_MS = 500;
/** Change records are deleted after some time (see retention); after a longer pause everything counts as changed. */
const LONGEST_PAUSE_MS = 10 * 60_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

/**
 * Tracks whether this process has read all committed changes of the catalogue. An announcement, or a request of this
 * process that may have changed something, makes it stale until the changes are read. Without a connection that
 * receives announcements it is never fresh.
 */
export class CatalogueFreshness {
  private channel: CatalogueChannel | null = null;
  /** Counts the reasons to read changes; fresh means that `refreshed` has reached it. */
  private staleCount = 0;
  private refreshed = 0;
  private readAt = 0;
  private reading: { upTo: number; done: Promise<void> } | null = null;
  private readonly closing = new AbortController();
  private readonly listening: Promise<void>;

  /** `onChanged` is called with the tags of what changed, before the changes count as read. */
  constructor(
    private readonly url: string,
    private readonly onChanged: (tags: readonly string[]) => void,
    private readonly log: Logger,
  ) {
    this.listening = this.listen();
  }

  /** Says that something may have changed: nothing is fresh until the changes are read. */
  markStale(): void {
    this.staleCount++;
  }

  /** True if cached pages may be served. Near the end of their time it starts to read changes in the background. */
  isFresh(): boolean {
    if (this.channel === null || this.refreshed < this.staleCount) return false;
    const age = performance.now() - this.readAt;
    if (age > REFRESH_AGE_MS) void this.readOnce();
    return age <= MAX_AGE_MS;
  }

  /** Reads changes if necessary; returns false if that is impossible now. */
  async refresh(): Promise<boolean> {
    if (this.isFresh()) return true;
    const wanted = this.staleCount;
    // A read that is under way may have begun before the change.
    if (this.reading && this.reading.upTo < wanted) await this.reading.done;
    if (this.refreshed < wanted || performance.now() - this.readAt > MAX_AGE_MS) await this.readOnce();
    return this.channel !== null && this.refreshed >= wanted;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.channel?.close();
    await this.listening;
  }

  private readOnce(): Promise<void> {
    this.reading ??= { upTo: this.staleCount, done: this.read(this.staleCount) };
    return this.reading.done;
  }

  private async read(upTo: number): Promise<void> {
    const { channel } = this;
    const startedAt = performance.now();
    try {
      const tags = (await channel?.changes()) ?? [];
      if (channel === null || channel !== this.channel) return;
      if (startedAt - this.readAt > LONGEST_PAUSE_MS) this.onChanged([catalogueTags.all]);
      else if (tags.length > 0) this.onChanged(tags);
      this.readAt = startedAt;
      this.refreshed = upTo;
    } catch (error) {
      if (channel === this.channel) this.loseChannel(error);
      void channel?.close().catch(() => undefined);
    } finally {
      this.reading = null;
    }
  }

  /** Keeps a connection open until `close`, and reopens it when it is lost. */
  private async listen(): Promise<void> {
    const { signal } = this.closing;
    for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)) {
      try {
        await this.listenOnce();
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        if (!this.closing.signal.aborted)
          this.log.warn({ err: error }, 'changes of the catalogue cannot be received');
      }
      await pause(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves when the connection that it opened is lost; rejects when it cannot be opened. */
  private async listenOnce(): Promise<void> {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const announced = () => {
      this.markStale();
      void this.refresh();
    };
    const openedAt = performance.now();
    const channel = await openCatalogueChannel(this.url, { announced, lost: end });
    if (this.closing.signal.aborted) return channel.close();
    this.channel = channel;
    this.readAt = openedAt;
    await ended;
    if (this.channel === channel) this.loseChannel(null);
  }

  /** Drops every cached page, because changes can no longer be seen. */
  private loseChannel(reason: unknown): void {
    this.channel = null;
    this.onChanged([catalogueTags.all]);
    if (!this.closing.signal.aborted)
      this.log.warn(
        { ...(reason !== null && { err: reason }) },
        'the catalogue is served from the database meanwhile',
      );
  }
}
