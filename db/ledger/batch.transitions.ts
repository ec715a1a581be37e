import { referenceText, type StoredReference } from '../../workflows/ledger/reference.rules';
import { firstRow, rows, type Tx } from '../sql/query';
import { postTransfer, type Transfer } from './ledger.transitions';

/** A transfer of a batch was posted before. */
class AlreadyPosted extends Error {}

/** The columns of a reference. */
const REFERENCE = 'kind, subject_id, part';

/**
 * Inserts the transfers of the relation `line` (kind, subject_id, part, clawback, account, user_id, currency, amount_minor,
 * hold_id) that are new, in the order of their references, so that sets that cross queue; and their entries in the order of their users, whose rows
 * the foreign key locks. `at`: the parameter with the time.
 */
const insertLines = (at: string): string => `
  transfer AS (
    INSERT INTO ledger_transfers (id, ${REFERENCE}, clawback, created_at)
    SELECT uuidv7(), ${REFERENCE}, bool_or(clawback), ${at}::timestamptz FROM line WHERE amount_minor <> 0
     GROUP BY ${REFERENCE} ORDER BY ${REFERENCE} ON CONFLICT (${REFERENCE}) DO NOTHING RETURNING id, ${REFERENCE}
  ), entry AS (
    INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, hold_id, created_at)
    SELECT t.id, l.account, l.user_id, l.currency, l.amount_minor, l.hold_id, ${at}::timestamptz
      FROM line l JOIN transfer t USING (${REFERENCE}) WHERE l.amount_minor <> 0 ORDER BY l.user_id
  )`;

/** Tells references apart. */
const keyOf = ({ kind, subjectId, part = '' }: StoredReference): string =>
  JSON.stringify([kind, subjectId, part]);

/** Moves money by many transfers in one statement; returns the keys of those that are new. Those of nothing are left out. */
async function insertNew(tx: Tx, transfers: readonly Omit<Transfer, 'at'>[], at: Date): Promise<Set<string>> {
  const lines = transfers.flatMap(({ reference, clawback = false, entries }) =>
    entries.map((entry) => ({ reference, clawback, ...entry })),
  );
  if (new Set(transfers.map(({ reference }) => keyOf(reference))).size < transfers.length)
    throw new RangeError('A transfer is named twice in a set.');
  if (!lines.every(({ amountMinor }) => Number.isSafeInteger(amountMinor)))
    throw new RangeError('A transfer has an amount that is no safe integer.');
  const posted = await rows<StoredReference>(
    tx,
    `WITH line AS MATERIALIZED (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::uuid[], $7::text[],
         $8::bigint[], $9::uuid[]) AS line (${REFERENCE}, clawback, account, user_id, currency, amount_minor, hold_id)
     ), ${insertLines('$10')}
     SELECT ${REFERENCE} FROM transfer`,
    [
      lines.map(({ reference }) => reference.kind),
      lines.map(({ reference }) => reference.subjectId),
      lines.map(({ reference }) => reference.part ?? ''),
      lines.map(({ clawback }) => clawback),
      lines.map(({ account }) => account),
      lines.map(({ userId }) => userId ?? null),
      lines.map(({ currency }) => currency),
      lines.map(({ amountMinor }) => amountMinor),
      lines.map(({ holdId }) => holdId ?? null),
      at,
    ],
  );
  return new Set(posted.map(keyOf));
}

const movesMoney = ({ entries }: Pick<Transfer, 'entries'>): boolean =>
  entries.some(({ amountMinor }) => amountMinor !== 0);

/** Moves money by many transfers. Those that were posted before change nothing, and throw if their entries differ. */
export async function postTransfers(
  tx: Tx,
  transfers: readonly Omit<Transfer, 'at'>[],
  at: Date,
): Promise<void> {
  const moving = transfers.filter(movesMoney);
  const posted = await insertNew(tx, moving, at);
  for (const transfer of moving)
    if (!posted.has(keyOf(transfer.reference))) await postTransfer(tx, { ...transfer, at });
}

/** Moves money by many transfers, each of which must be new: who posts them has decided under a lock that it happens once. */
export async function postNewTransfers(
  tx: Tx,
  transfers: readonly Omit<Transfer, 'at'>[],
  at: Date,
): Promise<void> {
  const moving = transfers.filter(movesMoney);
  if (moving.length === 0) return;
  const posted = await insertNew(tx, moving, at);
  const known = moving.filter(({ reference }) => !posted.has(keyOf(reference)));
  if (known.length > 0 || posted.size < moving.length)
    throw new AlreadyPosted(
      `Posted before, or twice: ${known
        .slice(0, 5)
        .map(({ reference }) => referenceText(reference))
        .join(', ')}.`,
    );
}

/**
 * Lines of transfers as SQL: `line` selects kind, subject_id, part, clawback, account, user_id, currency and amount_minor. None
 * is held.
 */
export interface SelectedLines {
  /** The one before it in the statement, which `line` may read: `name AS (UPDATE … RETURNING …)`. */
  with: string;
  line: string;
  params: readonly unknown[];
}

/**
 * Moves money by transfers that the database selects, in one statement with what they are of: no row of a large batch is
 * read by the program. Each must be new. Returns their number, with those of nothing.
 */
export async function postSelected(
  tx: Tx,
  { with: source, line, params }: SelectedLines,
  at: Date,
): Promise<number> {
  const found = await firstRow<{ selected: number; moving: number; posted: number }>(
    tx,
    `WITH ${source}, line AS MATERIALIZED (SELECT *, NULL::uuid AS hold_id FROM (${line}) AS selected),
     ${insertLines(`$${params.length + 1}`)}
     SELECT (SELECT count(DISTINCT (${REFERENCE})) FROM line)::int AS selected,
            (SELECT count(DISTINCT (${REFERENCE})) FROM line WHERE amount_minor <> 0)::int AS moving,
            (SELECT count(*) FROM transfer)::int AS posted`,
    [...params, at],
  );
  if (!found || found.moving !== found.posted)
    throw new AlreadyPosted('A selected transfer was posted before.');
  return found.selected;
}
