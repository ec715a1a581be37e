import { countByDay } from '../../partners/link/partner-link.writes';
import { PAYABLE_IDS } from '../../../workflows/commerce/payable/payable.rules';
import { payablesAs } from '../../commerce/payment/payable';
import { execute, rows, type Db } from '../../sql/query';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import type { RetentionKind, RetentionRule } from './retention-rule';
import { retentionRules, type RetentionPolicy } from './retention.rules';

/** Rows of one statement, few so that their locks are held briefly. */
const BATCH = 1_000;
/** Accounts erased within this time are covered again by each run, so that a run may be missed. */
const ERASED_WITHIN = `interval '7 days'`;

export type ForgottenRows = Record<RetentionKind, number>;

interface Options {
  /** Ends the work between two statements. */
  signal?: AbortSignal;
  batch?: number;
}

/** Deletes rows that are expired at `at`, in batches; returns their number by kind. It may be interrupted and repeated. */
export async function forgetExpired(
  db: Db,
  at: Date,
  policy: RetentionPolicy,
  { signal, batch = BATCH }: Options = {},
): Promise<ForgottenRows> {
  const forgotten: Partial<ForgottenRows> = {};
  const carryOut = async (kind: RetentionKind, statement: () => Promise<number>): Promise<void> => {
    for (let more = true; more;) {
      signal?.throwIfAborted();
      const count = await statement();
      forgotten[kind] = (forgotten[kind] ?? 0) + count;
      more = count === batch;
    }
  };
  for (const rule of retentionRules(at, policy))
    await carryOut(rule.kind, () => execute(db, statementOf(rule, batch), [rule.before]));
  await carryOut('linkClicks', () => countByDay(db, clicksBefore(at), batch));
  for (const ids of await paymentsOfErased(db, at))
    await carryOut('webhookBodies', () => emptyBodies(db, ids, batch));
  return forgotten as ForgottenRows;
}

/** A click is of a visitor for a day; then it is one of many on its day. */
const clicksBefore = (at: Date): Date => new Date(at.getTime() - DAY_MS);

/** The statement of one batch; it skips locked rows, which are left for the next run. */
function statementOf({ table, expired: over, forget }: RetentionRule, batch: number): string {
  const some = `ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${over} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
  return forget === undefined
    ? `DELETE FROM ${table} WHERE ${some}`
    : `UPDATE ${table} SET ${forget} WHERE ${some}`;
}

/** Ids in one search of the reports. */
const IDS_PER_SEARCH = 100;

/** The attempts to pay of accounts that were erased not long before `$1`. */
const ATTEMPTS_OF_ERASED = PAYABLE_IDS.map((id) => {
  const { table, column } = payablesAs(id);
  return `SELECT a.id, a.provider_reference
       FROM users u JOIN ${table} p ON p.user_id = u.id JOIN payment_attempts a ON a.${column} = p.id
       WHERE u.erased_at > $1::timestamptz - ${ERASED_WITHIN}`;
}).join(' UNION ALL ');

/** Ids by which providers' reports name the payments of recently erased accounts, in chunks. */
async function paymentsOfErased(db: Db, at: Date): Promise<string[][]> {
  const found = await rows<{ id: string }>(
    db,
    `WITH attempts AS (${ATTEMPTS_OF_ERASED})
     SELECT id::text AS id FROM attempts
     UNION SELECT provider_reference FROM attempts WHERE provider_reference IS NOT NULL
     UNION SELECT c.provider_payment_id FROM payment_captures c JOIN attempts a ON a.id = c.attempt_id`,
    [at],
  );
  const chunks: string[][] = [];
  for (let from = 0; from < found.length; from += IDS_PER_SEARCH)
    chunks.push(found.slice(from, from + IDS_PER_SEARCH).map(({ id }) => id));
  return chunks;
}

/** Deletes the bodies of reports about one of these payments. */
const emptyBodies = (db: Db, ids: readonly string[], batch: number): Promise<number> =>
  execute(
    db,
    `UPDATE webhook_events SET body = NULL WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM webhook_events
       WHERE body IS NOT NULL AND (status IN ('PROCESSED', 'IGNORED') OR status = 'DISCARDED') AND subject = ANY ($1::text[])
       LIMIT ${batch} FOR UPDATE SKIP LOCKED))`,
    [ids],
  );
