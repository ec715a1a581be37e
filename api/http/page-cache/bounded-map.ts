/** What an item costs beside its own bytes: its place in the map and the objects around it; an estimate. */
const BYTES_PER_ITEM = 300;

/** A map that never holds more than so many bytes: what was not asked for the longest goes first. */
export class BoundedMap<Value> {
  private readonly items = new Map<string, { value: Value; bytes: number }>();
  private held = 0;

  /** `dropped` hears of every value that leaves, however it leaves. */
  constructor(
    private readonly mostBytes: number,
    private readonly dropped: (key: string, value: Value) => void = () => undefined,
  ) {}

  get size(): number {
    return this.items.size;
  }

  /** Bytes held, keys and bookkeeping included. */
  get bytes(): number {
    return this.held;
  }

  /** The value under the key, which thereby is the last to go. */
  get(key: string): Value | undefined {
    const item = this.items.get(key);
    if (!item) return undefined;
    this.items.delete(key);
    this.items.set(key, item);
    return item.value;
  }

  /** Keeps the value; answers false if it alone is too large to be kept among others. */
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
    this.dropped(key, item.value);
  }
}
