import { setTimeout as pause } from 'node:timers/promises';

/**
 * Reads a value at most once in `freshMs`; concurrent callers share one read. Returns null after a failure, and to
 * callers that have waited for `patienceMs`.
 */
export function recent<Value>(
  read: () => Promise<Value>,
  { freshMs, patienceMs }: { freshMs: number; patienceMs: number },
): () => Promise<Value | null> {
  let last: { value: Value; at: number } | null = null;
  let reading: Promise<void> | null = null;
  const known = (): Value | null => (last && performance.now() - last.at < freshMs ? last.value : null);
  const readOnce = async (): Promise<void> => {
    try {
      last = { value: await read(), at: performance.now() };
    } catch {
      last = null;
    } finally {
      reading = null;
    }
  };
  return async () => {
    const value = known();
    if (value !== null) return value;
    reading ??= readOnce();
    await Promise.race([reading, pause(patienceMs, undefined, { ref: false })]);
    return known();
  };
}
