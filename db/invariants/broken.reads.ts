import { inLongTransaction } from '../sql/long-transaction';
import { rows, type Db, type Tx } from '../sql/query';
import { invariantList } from './invariant-list';
import type { Broken, ComputedInvariant, Invariant, Offence } from './invariant';

/** How long what should happen by itself may take before it counts as not happening. */
const PATIENCE_SECONDS = 600;
/** So many rows tell what is wrong; a hundred thousand would tell no more. */
const MOST_ROWS = 50;

/**
 * Holds the database against every invariant, as it stood at one moment, without changing or locking anything. Answers
 * what is broken, at most fifty rows an invariant; nothing when all is well. `patienceSeconds`: a message due, an event
 * accepted or a refund begun longer ago must have gone on. Heeds `signal`, also while a statement runs.
 */
export async function brokenInvariants(
  db: Db,
  { patienceSeconds = PATIENCE_SECONDS, signal = new AbortController().signal } = {},
): Promise<Broken[]> {
  return inLongTransaction(db, signal, (tx) => brokenIn(tx, patienceSeconds), { readOnly: true });
}

/** The same inside the caller's transaction, with what it has changed so far. */
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
