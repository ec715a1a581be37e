import { setTimeout as pause } from 'node:timers/promises';

/**
 * Reads something no more often than every `freshMs`, and once at a time whoever asks. Nobody waits longer than
 * `patienceMs`: who asks then, or after a failure, gets null.
 */
export function recent<Value>(
  read: () => Promise<Value>,
  { freshMs, patienceMs }: { freshMs: number; patienceMs: number },
): () => Promise<Value | null> {
  let last: { value: Value; at: number } | null = null;
  let underWay: Promise<void> | null = null;
  const known = (): Value | null => (last && performance.now() - last.at < freshMs ? last.value : null);
  const readOnce = async (): Promise<void> => {
    try {
      last = { value: await read(), at: performance.now() };
    } catch {
      last = null;
    } finally {
      underWay = null;
    }
  };
  return async () => {
    const value = known();
    if (value !== null) return value;
    underWay ??= readOnce();
    await Promise.race([underWay, pause(patienceMs, undefined, { ref: false })]);
    return known();
  };
}
