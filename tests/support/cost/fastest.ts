/**
 * The shortest of some runs in milliseconds, to compare with that of other work in the same test: other programs of the
 * machine disturb single runs, seldom all.
 */
export async function fastest(work: () => unknown, runs = 7): Promise<number> {
  let shortestMs = Infinity;
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    await work();
    shortestMs = Math.min(shortestMs, performance.now() - began);
  }
  return shortestMs;
}
