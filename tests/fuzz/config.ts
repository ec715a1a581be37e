import { z } from 'zod';

const FuzzConfig = z.object({
  /** The sample asks each operation as those it is for; the long set asks all of them as everybody. */
  FUZZ_SET: z.enum(['sample', 'long']).default('sample'),
  /** What a run repeats is repeated by its seed; the sample has the same every time. */
  FUZZ_SEED: z.coerce.number().int().min(0).max(4_294_967_295).optional(),
  /** How many requests an operation gets at most from each random phase. */
  FUZZ_EXAMPLES: z.coerce.number().int().min(1).max(10_000).optional(),
});

/** How a run fuzzes. */
export interface FuzzSet {
  name: 'sample' | 'long';
  seed: number;
  phases: string;
  examples: number;
  /** Most milliseconds that asking as one role may take. */
  limitMs: number;
}

const MINUTE = 60_000;

/** Reads FUZZ_SET, FUZZ_SEED and FUZZ_EXAMPLES. */
export function fuzzSet(): FuzzSet {
  const { FUZZ_SET: name, FUZZ_SEED, FUZZ_EXAMPLES } = FuzzConfig.parse(process.env);
  return name === 'sample'
    ? {
        name,
        seed: FUZZ_SEED ?? 1,
        phases: 'examples,coverage',
        examples: FUZZ_EXAMPLES ?? 1,
        limitMs: 5 * MINUTE,
      }
    : {
        name,
        seed: FUZZ_SEED ?? Math.floor(Math.random() * 1_000_000),
        phases: 'examples,coverage,fuzzing,stateful',
        examples: FUZZ_EXAMPLES ?? 60,
        limitMs: 30 * MINUTE,
      };
}
