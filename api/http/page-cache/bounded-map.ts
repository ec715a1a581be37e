/** The overhead of an item in addition to its own bytes; an estimate. */
const BYTES_PER_ITEM = 300;

/** A map with a limit on its bytes, which evicts the least recently used items. */
export class BoundedMap<Value> {
  private readonly items = new Map<string, { value: Value; bytes: number }>();
  private held = 0;

  /** `onRemoved` is called for every value that is evicted, replaced or deleted. */
  constructor(
    private readonly mostBytes: number,
    private readonly onRemoved: (key: string, value: Value) => void = () => undefined,
  ) {}

  get size(): number {
    return this.items.size;
  }

  /** Bytes in use, keys and overhead included. */
  get bytes(): number {
    return this.held;
  }

  /** The value under the key, which becomes the most recently used. */
  get(key: string): Value | undefined {
    const item = this.items.get(key);
    if (!item) return undefined;
    this.items.delete(key);
    this.items.set(key, item);
    return item.value;
  }

  /** Stores the value; returns false if it would take more than a quarter of all bytes. */
  set(key: string, value: Value, ownBytes: number): boolean {
    this.delete(key);
    const bytes = ownBytes + 2 * key.length + BYTES_PER_ITEM;
    if (bytes > this.mostBytes / 4) return false;
    this.items.set(key, { value, bytes });
    this.held += bytes;
    for (const oldest of this.items.keys()) {
      if (this.held <= this.mostBytes) break;
      this.delete(oldest);
    }
    return true;
  }

  delete(key: string): void {
    const item = this.items.get(key);
    if (!item) return;
    this.items.delete(key);
    this.held -= item.bytes;
    this.onRemoved(key, item.value);
  }
}
