import type { Page } from '../answer/reply';
import { BoundedMap } from './bounded-map';

/** An answer as bytes, the same for every caller, until the catalogue changes. */
export interface PreparedPage {
  readonly bytes: Buffer;
  readonly etag: string;
  /** The page of a list, for its `Link` header; null if the answer is not a list. */
  readonly page: Page | null;
  /** The parts of the catalogue that it depends on; a change names them in the same way. */
  readonly tags: readonly string[];
}

const BYTES_PER_TAG = 150;

/** Prepared pages by their input, and by the tags that they depend on. */
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

  /** Deletes every page that depends on the tag. */
  drop(tag: string): void {
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
