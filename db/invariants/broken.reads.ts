import { inLongTransaction } from '../sql/long-transaction';
import { rows, type Db, type Tx } from '../sql/query';
import { invariantList } from './invariant-list';
import type { Broken, ComputedInvariant, Invariant, Offence } from './invariant';

/** The time that automatic steps may take before they count as missing. */
const PATIENCE_SECONDS = 600;
/** The most offences that are listed of one invariant; more would not help to find the cause. */
const MOST_ROWS = 50;

/**
 * Checks the database, in one snapshot and without changing or locking anything, against every invariant. Answers the
 * offences, at most fifty for each. `patienceSeconds`: a message due, an event accepted or a refund begun longer ago must
 * have been processed. `signal` ends the check, also while a statement runs.
 */
export async function brokenInvariants(
  db: Db,
  { patienceSeconds = PATIENCE_SECONDS, signal = new AbortController().signal } = {},
): Promise<Broken[]> {
  return inLongTransaction(db, signal, (tx) => brokenIn(tx, patienceSeconds), { readOnly: true });
}

/** The same inside the caller's transaction, including its own changes so far. */
export async function brokenIn(tx: Tx, patienceSeconds = PATIENCE_SECONDS): Promise<Broken[]> {
  const broken: Broken[] = [];
  for (const invariant of invariantList) {
    try {
      const offences = await offencesAgainst(tx, invariant, patienceSeconds);
      broken.push(...offences.map((offence) => ({ invariant: invariant.id, ...offence })));
    } catch (cause) {
      throw new Error(`${invariant.id} could not be checked.`, { cause });
    }
  }
  return broken;
}

function offencesAgainst(
  tx: Tx,
  invariant: Invariant | ComputedInvariant,
  patienceSeconds: number,
): Promise<Offence[]> {
  if ('find' in invariant) return invariant.find(tx);
  return rows<Offence>(
    tx,
    `WITH clock AS (SELECT now() - make_interval(secs => $1) AS overdue)
     SELECT entity::text AS entity, detail::text AS detail FROM (${invariant.sql}) AS offences
     ORDER BY 1, 2 LIMIT ${MOST_ROWS}`,
    [patienceSeconds],
  );
}
