import { z } from 'zod';

const FuzzConfig = z.object({
  /** The sample calls each operation as the role it is for; the long set calls all of them as every role. */
  FUZZ_SET: z.enum(['sample', 'long']).default('sample'),
  /** The same seed repeats a run; that of the sample is fixed. */
  FUZZ_SEED: z.coerce.number().int().min(0).max(4_294_967_295).optional(),
  /** The most requests of an operation in each random phase. */
  FUZZ_EXAMPLES: z.coerce.number().int().min(1).max(10_000).optional(),
});

/** The size and seed of a run. */
export interface FuzzSet {
  name: 'sample' | 'long';
  seed: number;
  phases: string;
  examples: number;
  /** The time limit for the calls of one role, milliseconds. */
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
