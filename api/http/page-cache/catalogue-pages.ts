import type { Logger } from 'pino';
import type { Asked, Endpoint } from '../endpoint';
import { BoundedMap } from './bounded-map';
import { CatalogueKnowledge } from './catalogue-knowledge';
import { PageStore, type PreparedPage } from './page-store';

/** How a request for a page was answered: from what is kept, by joining another's work, by work, or past the cache. */
export type Outcome = 'hit' | 'joined' | 'miss' | 'bypass';

/** An address that was asked for before, and so need not be understood anew. */
interface KnownAddress {
  endpoint: Endpoint;
  key: string;
  ready: ReadyPage | null;
}

/** A page with the headers (name, value, name, …) that go with it at one address. */
export interface ReadyPage {
  endpoint: Endpoint;
  page: PreparedPage;
  headers: readonly string[];
}

/** The work of preparing one page, and what changed meanwhile. */
interface Preparation {
  page: Promise<PreparedPage>;
  changed: Set<string>;
}

/** Of all bytes, this share is for addresses. Longer addresses are understood each time. */
const SHARE_OF_ADDRESSES = 1 / 8;
const LONGEST_ADDRESS = 1_000;
/** Most headers are the same texts for all pages; an estimate. */
const BYTES_OF_HEADERS = 1_000;

/**
 * Answers about the catalogue, kept as bytes for as long as they hold. A page is kept under what was asked, as the
 * contract understood it, so that however it is spelt it is kept once; and found by its address, if that was asked
 * for before, without a look at the contract.
 */
export class CataloguePages {
  readonly outcomes: Record<Outcome, number> = { hit: 0, joined: 0, miss: 0, bypass: 0 };
  private readonly store: PageStore;
  private readonly addresses: BoundedMap<KnownAddress>;
  private readonly knowledge: CatalogueKnowledge;
  /** Work that whoever asks the same may join: nothing was learnt since it began. */
  private readonly joinable = new Map<string, Preparation>();
  private readonly preparations = new Set<Preparation>();

  /** Begins to listen for changes at once; until it does, pages are answered past the cache. */
  constructor({ url, mostBytes, log }: { url: string; mostBytes: number; log: Logger }) {
    this.store = new PageStore(mostBytes * (1 - SHARE_OF_ADDRESSES));
    this.addresses = new BoundedMap(mostBytes * SHARE_OF_ADDRESSES);
    this.knowledge = new CatalogueKnowledge(url, (tags) => this.forget(tags), log);
  }

  get size(): number {
    return this.store.size;
  }

  /** All bytes held, those of addresses included. */
  get bytes(): number {
    return this.store.bytes + this.addresses.bytes;
  }

  /** What this process just did may have changed the catalogue. To be called before that is answered. */
  doubt(): void {
    this.knowledge.doubt();
  }

  /** Whether what is kept holds at this moment; false while changes cannot be heard. */
  isSure(): Promise<boolean> {
    return this.knowledge.catchUp();
  }

  /** Whether this address may be answered by `kept`; if so, what is doubtful is to be cleared up first. */
  knows(address: string): boolean {
    return this.addresses.get(address) !== undefined;
  }

  /** The page at a known address and its endpoint, if it is kept and holds. */
  async kept(address: string): Promise<{ endpoint: Endpoint; page: PreparedPage } | null> {
    const known = this.addresses.get(address);
    if (!known || !(await this.isSure())) return null;
    const page = this.store.get(known.key);
    if (!page) return null;
    this.outcomes.hit++;
    return { endpoint: known.endpoint, page };
  }

  /** What is kept for this address, headers and all, if it is known at once that it holds. */
  ready(address: string): ReadyPage | null {
    const known = this.addresses.get(address);
    if (!known?.ready || !this.knowledge.isSure() || this.store.get(known.key) !== known.ready.page)
      return null;
    this.outcomes.hit++;
    return known.ready;
  }

  /** Remembers the headers that a known address was answered with. */
  makeReady(address: string, page: PreparedPage, headers: readonly string[]): void {
    const known = this.addresses.get(address);
    if (!known) return;
    const { endpoint, key } = known;
    this.addresses.set(address, { endpoint, key, ready: { endpoint, page, headers } }, BYTES_OF_HEADERS);
  }

  /**
   * The page that was asked for, kept or prepared now; of those who ask at the same time one prepares it for all. The
   * address, if there is one, is known from then on.
   */
  async pageOf(
    { endpoint, asked, address }: { endpoint: Endpoint; asked: Asked; address: string | null },
    prepare: () => Promise<PreparedPage>,
  ): Promise<PreparedPage> {
    if (!(await this.isSure())) {
      this.outcomes.bypass++;
      return prepare();
    }
    const key = `${endpoint.path} ${JSON.stringify([asked.params, asked.query])}`;
    const kept = this.store.get(key);
    const joined = kept ? undefined : this.joinable.get(key);
    this.outcomes[kept ? 'hit' : joined ? 'joined' : 'miss']++;
    const page = kept ?? (await (joined?.page ?? this.prepare(key, prepare)));
    if (address !== null && address.length <= LONGEST_ADDRESS)
      this.addresses.set(address, { endpoint, key, ready: null }, 0);
    return page;
  }

  /** Stops listening. */
  close(): Promise<void> {
    return this.knowledge.close();
  }

  private prepare(key: string, prepare: () => Promise<PreparedPage>): Promise<PreparedPage> {
    const preparation: Preparation = { page: prepare(), changed: new Set() };
    this.joinable.set(key, preparation);
    this.preparations.add(preparation);
    return this.keepWhenDone(key, preparation);
  }

  private async keepWhenDone(key: string, preparation: Preparation): Promise<PreparedPage> {
    try {
      const page = await preparation.page;
      // Whether the page was read before or after the change is not known, so it is given and not kept.
      if (!page.tags.some((tag) => preparation.changed.has(tag))) this.store.put(key, page);
      return page;
    } finally {
      this.preparations.delete(preparation);
      if (this.joinable.get(key) === preparation) this.joinable.delete(key);
    }
  }

  private forget(tags: readonly string[]): void {
    for (const tag of tags) this.store.forget(tag);
    for (const { changed } of this.preparations) for (const tag of tags) changed.add(tag);
    this.joinable.clear();
  }
}
