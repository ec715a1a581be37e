import type { Logger } from 'pino';
import type { Endpoint, RequestInput } from '../endpoint';
import { BoundedMap } from './bounded-map';
import { CatalogueFreshness } from './catalogue-freshness';
import { PageStore, type PreparedPage } from './page-store';

/**
 * The way a request was answered: from the cache, by joining a preparation, by its own preparation, or without the
 * cache.
 */
export type Outcome = 'hit' | 'joined' | 'miss' | 'bypass';

/** A URL that was requested before and found valid, so that it need not be validated again. */
interface KnownUrl {
  endpoint: Endpoint;
  key: string;
  response: CachedResponse | null;
}

/** A page with the headers (name, value, name, …) of its response at one URL. */
export interface CachedResponse {
  endpoint: Endpoint;
  page: PreparedPage;
  headers: readonly string[];
}

/** The preparation of one page, and the tags that changed since it began. */
interface Preparation {
  page: Promise<PreparedPage>;
  changed: Set<string>;
}

/** The share of all bytes that is for known URLs. Longer URLs are validated each time. */
const SHARE_OF_URLS = 1 / 8;
const LONGEST_URL = 1_000;
/** An estimate: most headers are the same strings for all pages. */
const BYTES_OF_HEADERS = 1_000;

/**
 * Caches answers about the catalogue as bytes until the catalogue changes. A page is stored under its validated input,
 * so that different spellings of a request share one page; a URL that was requested before finds it without validation.
 */
export class CatalogueCache {
  readonly outcomes: Record<Outcome, number> = { hit: 0, joined: 0, miss: 0, bypass: 0 };
  private readonly store: PageStore;
  private readonly urls: BoundedMap<KnownUrl>;
  private readonly freshness: CatalogueFreshness;
  /** Preparations that requests for the same page may join, because nothing has changed since they began. */
  private readonly joinable = new Map<string, Preparation>();
  private readonly preparations = new Set<Preparation>();

  /** Starts to listen for changes at once; until the connection is open, requests bypass the cache. */
  constructor({ url, mostBytes, log }: { url: string; mostBytes: number; log: Logger }) {
    this.store = new PageStore(mostBytes * (1 - SHARE_OF_URLS));
    this.urls = new BoundedMap(mostBytes * SHARE_OF_URLS);
    this.freshness = new CatalogueFreshness(url, (tags) => this.drop(tags), log);
  }

  get size(): number {
    return this.store.size;
  }

  /** All bytes in use, known URLs included. */
  get bytes(): number {
    return this.store.bytes + this.urls.bytes;
  }

  /** Says that a request of this process may have changed the catalogue. Call it before that request is answered. */
  markStale(): void {
    this.freshness.markStale();
  }

  /** Reads changes if necessary. Returns whether cached pages may be served; false while changes cannot be received. */
  refresh(): Promise<boolean> {
    return this.freshness.refresh();
  }

  /** True if the URL was requested before, so that `cachedPage` may find its page. */
  knows(url: string): boolean {
    return this.urls.get(url) !== undefined;
  }

  /** The page of a known URL and its endpoint, after a refresh; null if it is not cached. */
  async cachedPage(url: string): Promise<{ endpoint: Endpoint; page: PreparedPage } | null> {
    const known = this.urls.get(url);
    if (!known || !(await this.refresh())) return null;
    const page = this.store.get(known.key);
    if (!page) return null;
    this.outcomes.hit++;
    return { endpoint: known.endpoint, page };
  }

  /** The whole response of a URL, if it is cached and known to be fresh without waiting. */
  cachedResponse(url: string): CachedResponse | null {
    const known = this.urls.get(url);
    if (!known?.response || !this.freshness.isFresh() || this.store.get(known.key) !== known.response.page)
      return null;
    this.outcomes.hit++;
    return known.response;
  }

  /** Caches the headers that a known URL was answered with. */
  cacheResponse(url: string, page: PreparedPage, headers: readonly string[]): void {
    const known = this.urls.get(url);
    if (!known) return;
    const { endpoint, key } = known;
    this.urls.set(url, { endpoint, key, response: { endpoint, page, headers } }, BYTES_OF_HEADERS);
  }

  /**
   * The page for this input, cached or prepared now; concurrent requests for the same page share one preparation. The
   * URL, unless it is null, is known afterwards.
   */
  async pageOf(
    { endpoint, input, url }: { endpoint: Endpoint; input: RequestInput; url: string | null },
    prepare: () => Promise<PreparedPage>,
  ): Promise<PreparedPage> {
    if (!(await this.refresh())) {
      this.outcomes.bypass++;
      return prepare();
    }
    const key = `${endpoint.path} ${JSON.stringify([input.params, input.query])}`;
    const cached = this.store.get(key);
    const joined = cached ? undefined : this.joinable.get(key);
    this.outcomes[cached ? 'hit' : joined ? 'joined' : 'miss']++;
    const page = cached ?? (await (joined?.page ?? this.prepare(key, prepare)));
    if (url !== null && url.length <= LONGEST_URL) this.urls.set(url, { endpoint, key, response: null }, 0);
    return page;
  }

  /** Stops listening. */
  close(): Promise<void> {
    return this.freshness.close();
  }

  private prepare(key: string, prepare: () => Promise<PreparedPage>): Promise<PreparedPage> {
    const preparation: Preparation = { page: prepare(), changed: new Set() };
    this.joinable.set(key, preparation);
    this.preparations.add(preparation);
    return this.storeWhenPrepared(key, preparation);
  }

  private async storeWhenPrepared(key: string, preparation: Preparation): Promise<PreparedPage> {
    try {
      const page = await preparation.page;
      // The page may have been read before or after such a change, so it is answered but not stored.
      if (!page.tags.some((tag) => preparation.changed.has(tag))) this.store.put(key, page);
      return page;
    } finally {
      this.preparations.delete(preparation);
      if (this.joinable.get(key) === preparation) this.joinable.delete(key);
    }
  }

  private drop(tags: readonly string[]): void {
    for (const tag of tags) this.store.drop(tag);
    for (const { changed } of this.preparations) for (const tag of tags) changed.add(tag);
    this.joinable.clear();
  }
}
