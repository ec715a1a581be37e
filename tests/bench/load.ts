/** The result of driving one operation for a while. */
export interface Driven {
  /** The duration of each operation, milliseconds. */
  latenciesMs: number[];
  elapsedMs: number;
}

/**
 * One operation of a caller (from 0), which is done when it resolves. If only a part of it is measured, it
 * answers the milliseconds of that part.
 */
export type Operation = (caller: number) => Promise<number | undefined>;

/** Lets callers repeat an operation, each one after the other, for a while. The last ones may end after it. */
export async function drive(operation: Operation, callers: number, forMs: number): Promise<Driven> {
  const latenciesMs: number[] = [];
  const begun = performance.now();
  const call = async (caller: number): Promise<void> => {
    do {
      const at = performance.now();
      latenciesMs.push((await operation(caller)) ?? performance.now() - at);
    } while (performance.now() - begun < forMs);
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return { latenciesMs, elapsedMs: performance.now() - begun };
}

/** The latency that this share (0 to 1) of operations did not exceed; nearest rank. */
export function quantile(latenciesMs: readonly number[], share: number): number {
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
