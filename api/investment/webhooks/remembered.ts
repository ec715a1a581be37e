/** Longest use of a value that was read. */
const FRESH_MS = 2_000;
/** Most readings in a second that somebody asks for because the value does not suit. */
const MOST_RENEWALS = 10;

/** A value that is read again after two seconds; several who need it at the same time share one reading. */
export class Remembered<Value> {
  private value: Promise<Value> | null = null;
  private readAt = -Infinity;
  private second = -Infinity;
  private renewals = 0;

  constructor(private readonly read: () => Promise<Value>) {}

  /** The value, at most two seconds old. Rejects like the reading, which the next caller tries again. */
  current(): Promise<Value> {
    return this.value && performance.now() - this.readAt < FRESH_MS ? this.value : this.readNow();
  }

  /** The value as it is now; as `current` where it was requested so ten times within this second. */
  renewed(): Promise<Value> {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.second) [this.second, this.renewals] = [second, 0];
    return this.renewals++ < MOST_RENEWALS ? this.readNow() : this.current();
  }

  private readNow(): Promise<Value> {
    this.readAt = performance.now();
    const reading = this.read();
    this.value = reading;
    reading.catch(() => {
      if (this.value === reading) this.value = null;
    });
    return reading;
  }
}
