import type { Page } from '../answer/replies';
import { BoundedMap } from './bounded-map';

/** An answer as bytes, the same for everyone, ready to be sent as often as it holds. */
export interface PreparedPage {
  readonly bytes: Buffer;
  readonly etag: string;
  /** Where a list stands, for its `Link` header; null for what is no list. */
  readonly page: Page | null;
  /** What it depends on; a change names the same. */
  readonly tags: readonly string[];
}

const BYTES_PER_TAG = 150;

/** Prepared pages by what was asked, and by what they depend on. */
export class PageStore {
  private readonly pages: BoundedMap<PreparedPage>;
  private readonly keysOfTag = new Map<string, Set<string>>();

  constructor(mostBytes: number) {
    this.pages = new BoundedMap(mostBytes, (key, { tags }) => this.untag(key, tags));
  }

  get size(): number {
    return this.pages.size;
  }

  get bytes(): number {
    return this.pages.bytes;
  }

  get(key: string): PreparedPage | undefined {
    return this.pages.get(key);
  }

  put(key: string, page: PreparedPage): void {
    const { bytes, tags } = page;
    if (!this.pages.set(key, page, bytes.length + tags.length * BYTES_PER_TAG)) return;
    for (const tag of tags) {
      const keys = this.keysOfTag.get(tag);
      if (keys) keys.add(key);
      else this.keysOfTag.set(tag, new Set([key]));
    }
  }

  /** Forgets every page that depends on the tag. */
  forget(tag: string): void {
    for (const key of this.keysOfTag.get(tag) ?? []) this.pages.delete(key);
  }

  private untag(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.keysOfTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.keysOfTag.delete(tag);
    }
  }
}
