/** Longest wait for one answer of a provider in a step that no caller waits for. */
export const PROVIDER_CALL_MS = 20_000;

/** Longest try of such a step: a query for the result of an earlier try, the call itself, and database work. */
export const PROVIDER_STEP_MS = 50_000;

/** Limits of a look-up at a payment provider; each time must fit into the next. */
export const LOOK_UP_TIMES = {
  /** Payment attempts that are looked up concurrently. */
  atOnce: 10,
  /** Longest wait for one answer. */
  callMs: 10_000,
  /** A try closes payment pages until this time, and then queries payments. */
  closingMs: 20_000,
  /** A try queries until this time, and then fails; the money that it found is applied. */
  askingMs: 40_000,
  /** Longest try; the remaining time is for the database. */
  tryMs: 55_000,
  /** All tries, time in the queue included; the stock of an unpaid order stays reserved that long. */
  allTriesMs: 120_000,
} as const;

export type LookUpTimes = { readonly [Name in keyof typeof LOOK_UP_TIMES]: number };
