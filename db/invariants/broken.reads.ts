import { policyFrom } from '../policy/config';
import { isDatabaseAway, sqlStateOf } from '../sql/errors';
import { inLongTransaction } from '../sql/long-transaction';
import { rows, type Db, type Tx } from '../sql/query';
import { inTransaction } from '../sql/transaction';
import { invariantList } from './invariant-list';
import type { Broken, ComputedInvariant, Invariant, Offence } from './invariant';

/** The time that automatic steps may take before they count as missing. */
const PATIENCE_SECONDS = 600;
const DEFAULTS = policyFrom({});
/** The most offences that are listed of one invariant; more would not help to find the cause. */
const MOST_ROWS = 50;

/** The longest time of one invariant's statement. */
const MOST_MS = 5 * 60_000;
const TOOK_TOO_LONG = '57014';

/** The bounds of a check. */
export interface Patience {
  /** A message due, an event accepted or a refund begun longer ago must have been processed. */
  patienceSeconds?: number;
  /** Longest wait of a provider's report for what it is about: the policy's. */
  eventPatienceDays?: number;
}

/**
 * Checks the database against every invariant, without changing or locking anything. Each has a snapshot of its own, so that
 * none holds back for long what vacuum removes. Returns the offences, at most fifty for each. A rule that a row makes impossible
 * to check, or that takes longer than `mostMs`, counts as broken, with the word `unchecked`, and the others are checked all the same. `signal` ends the
 * check, also while a statement runs.
 */
export async function brokenInvariants(
  db: Db,
  {
    signal = new AbortController().signal,
    mostMs: statementMs = MOST_MS,
    ...patience
  }: Patience & { signal?: AbortSignal; mostMs?: number } = {},
): Promise<Broken[]> {
  return brokenOf((invariant) =>
    offencesOrFailure(invariant, signal, () =>
      inLongTransaction(db, signal, (tx) => offencesAgainst(tx, invariant, patience), {
        ...{ readOnly: true, statementMs },
      }),
    ),
  );
}

/** The offences inside the caller's transaction, including its own changes so far. */
export const brokenIn = (tx: Tx, patience: Patience = {}): Promise<Broken[]> =>
  brokenOf((invariant) =>
    offencesOrFailure(invariant, undefined, () =>
      inTransaction(tx, (inner) => offencesAgainst(inner, invariant, patience)),
    ),
  );

async function brokenOf(
  check: (invariant: Invariant | ComputedInvariant) => Promise<Offence[]>,
): Promise<Broken[]> {
  const broken: Broken[] = [];
  for (const invariant of invariantList) {
    const offences = await check(invariant);
    broken.push(...offences.map((offence) => ({ invariant: invariant.id, ...offence })));
  }
  return broken;
}

async function offencesOrFailure(
  invariant: Invariant | ComputedInvariant,
  signal: AbortSignal | undefined,
  check: () => Promise<Offence[]>,
): Promise<Offence[]> {
  try {
    return await check();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const state = sqlStateOf(cause);
    // A statement that was cancelled from outside has the same state as one that took too long; the signal tells them apart.
    if (state === null || (state !== TOOK_TOO_LONG && isDatabaseAway(cause)))
      throw new Error(`${invariant.id} could not be checked.`, { cause });
    // The database's message may quote what a row holds.
    return [{ entity: invariant.id, detail: `unchecked: the database answers ${state}` }];
  }
}

function offencesAgainst(
  tx: Tx,
  invariant: Invariant | ComputedInvariant,
  { patienceSeconds = PATIENCE_SECONDS, eventPatienceDays = DEFAULTS.eventPatienceDays }: Patience,
): Promise<Offence[]> {
  if ('find' in invariant) return invariant.find(tx);
  return rows<Offence>(
    tx,
    `WITH clock AS (SELECT now() - make_interval(secs => $1) AS overdue,
       now() - make_interval(secs => $1, days => $2::int, hours => 2) AS overdue_event)
     SELECT entity::text AS entity, detail::text AS detail FROM (${invariant.sql}) AS offences
     ORDER BY 1, 2 LIMIT ${MOST_ROWS}`,
    [patienceSeconds, eventPatienceDays],
  );
}
