import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  catalogueTags,
  openCatalogueChannel,
  type CatalogueChannel,
} from '../../../db/catalog/catalogue-change/catalogue-channel';

/** What is kept is never served when nobody has asked for news for so long, even if none was announced. */
const LONGEST_TRUST_MS = 1_000;
/** From this age on news are asked for in passing, so that nobody has to wait for them. */
const USUAL_TRUST_MS = 500;
/** Notes of changes are deleted some time after (see retention); whoever slept longer than this starts anew. */
const LONGEST_SLEEP_MS = 10 * 60_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

/**
 * Whether this process knows all changes of the catalogue. An announcement, and a request that may have changed
 * something, make it doubt until it has asked; without a connection that hears announcements it knows nothing.
 */
export class CatalogueKnowledge {
  private channel: CatalogueChannel | null = null;
  private doubts = 0;
  /** How many of the doubts the last answer dispelled. */
  private dispelled = 0;
  private readAt = 0;
  private reading: { upTo: number; done: Promise<void> } | null = null;
  private readonly closing = new AbortController();
  private readonly listening: Promise<void>;

  /** `learn` is told the tags of what changed, before anyone is told that all is known. */
  constructor(
    private readonly url: string,
    private readonly learn: (tags: readonly string[]) => void,
    private readonly log: Logger,
  ) {
    this.listening = this.listen();
  }

  /** Something may have changed: until that is cleared up, nothing is certain. */
  doubt(): void {
    this.doubts++;
  }

  /** Whether what is kept holds at this moment. */
  isSure(): boolean {
    if (this.channel === null || this.dispelled < this.doubts) return false;
    const age = performance.now() - this.readAt;
    if (age > USUAL_TRUST_MS) void this.readOnce();
    return age <= LONGEST_TRUST_MS;
  }

  /** Clears up what is doubtful at this moment; false when that is not possible now. */
  async catchUp(): Promise<boolean> {
    if (this.isSure()) return true;
    const wanted = this.doubts;
    // What is being read may have been asked for before the doubt arose.
    if (this.reading && this.reading.upTo < wanted) await this.reading.done;
    if (this.dispelled < wanted || performance.now() - this.readAt > LONGEST_TRUST_MS) await this.readOnce();
    return this.channel !== null && this.dispelled >= wanted;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.channel?.close();
    await this.listening;
  }

  private readOnce(): Promise<void> {
    this.reading ??= { upTo: this.doubts, done: this.read(this.doubts) };
    return this.reading.done;
  }

  private async read(upTo: number): Promise<void> {
    const { channel } = this;
    const begun = performance.now();
    try {
      const tags = (await channel?.changes()) ?? [];
      if (channel === null || channel !== this.channel) return;
      if (begun - this.readAt > LONGEST_SLEEP_MS) this.learn([catalogueTags.all]);
      else if (tags.length > 0) this.learn(tags);
      this.readAt = begun;
      this.dispelled = upTo;
    } catch (error) {
      if (channel === this.channel) this.forgetAll(error);
      void channel?.close().catch(() => undefined);
    } finally {
      this.reading = null;
    }
  }

  /** Holds a connection for as long as this lives. Each new one starts with nothing known. */
  private async listen(): Promise<void> {
    const { signal } = this.closing;
    for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)) {
      try {
        await this.listenOnce();
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        if (!this.closing.signal.aborted)
          this.log.warn({ err: error }, 'changes of the catalogue cannot be heard');
      }
      await pause(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves when the connection that it opened is lost; rejects when none can be opened. */
  private async listenOnce(): Promise<void> {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const announced = () => {
      this.doubt();
      void this.catchUp();
    };
    const opening = performance.now();
    const channel = await openCatalogueChannel(this.url, { announced, lost: end });
    if (this.closing.signal.aborted) return channel.close();
    this.channel = channel;
    this.readAt = opening;
    await ended;
    if (this.channel === channel) this.forgetAll(null);
  }

  private forgetAll(why: unknown): void {
    this.channel = null;
    this.learn([catalogueTags.all]);
    if (!this.closing.signal.aborted)
      this.log.warn(
        { ...(why !== null && { err: why }) },
        'the catalogue is served from the database meanwhile',
      );
  }
}
