/** Longest wait for one answer of another company while nobody waits for the step that asks. */
export const PROVIDER_CALL_MS = 20_000;

/** One try of such a step: it asks what an earlier try did, then acts, and the rest is for the database. */
export const PROVIDER_STEP_MS = 50_000;

/** Times of a look-up at a payment provider; each must fit into the next. */
export const LOOK_UP_TIMES = {
  /** Attempts that a provider is asked about at a time. */
  atOnce: 10,
  /** Longest wait for one answer. */
  callMs: 10_000,
  /** After this a try closes no more pages, and asks. */
  closingMs: 20_000,
  /** After this a try asks no more: it fails, and the money that it was told of is applied. */
  askingMs: 40_000,
  /** One try; what is left of it is for the database. */
  tryMs: 55_000,
  /** All tries, time in the queue included: the stock of an unpaid order is held for so long. */
  allTriesMs: 120_000,
} as const;

export type LookUpTimes = { readonly [Name in keyof typeof LOOK_UP_TIMES]: number };
