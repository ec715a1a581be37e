import { execute, rows, type Db } from '../../sql/query';
import {
  retentionRules,
  type RetentionKind,
  type RetentionPolicy,
  type RetentionRule,
} from './retention.rules';

/** Rows of one statement: few enough that nobody waits for their locks. */
const BATCH = 1_000;
/** Erased accounts are looked back for over as many days, so that a run may be missed. */
const ERASED_WITHIN = `interval '7 days'`;

export type ForgottenRows = Record<RetentionKind, number>;

interface Options {
  /** Ends the work between two statements when it is aborted. */
  signal?: AbortSignal;
  batch?: number;
}

/** Deletes what is over its time at `at`, in batches; answers how many rows of each kind. Broken off, it may be begun anew. */
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
  for (const ids of await paymentsOfErased(db, at))
    await carryOut('webhookBodies', () => emptyBodies(db, ids, batch));
  return forgotten as ForgottenRows;
}

/** Rows that somebody else holds are left for the next run. */
function statementOf({ table, over, forget }: RetentionRule, batch: number): string {
  const some = `ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${over} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
  return forget === undefined
    ? `DELETE FROM ${table} WHERE ${some}`
    : `UPDATE ${table} SET ${forget} WHERE ${some}`;
}

/** Ids at once in one look through the bodies. */
const IDS_AT_ONCE = 100;

/** By what providers' reports name the payments of accounts that were erased lately, in lots. */
async function paymentsOfErased(db: Db, at: Date): Promise<string[][]> {
  const found = await rows<{ id: string }>(
    db,
    `WITH attempts AS (
       SELECT a.id, a.provider_reference
       FROM users u JOIN orders o ON o.user_id = u.id JOIN payment_attempts a ON a.order_id = o.id
       WHERE u.erased_at > $1::timestamptz - ${ERASED_WITHIN}
     )
     SELECT id::text AS id FROM attempts
     UNION SELECT provider_reference FROM attempts WHERE provider_reference IS NOT NULL
     UNION SELECT c.provider_payment_id FROM payment_captures c JOIN attempts a ON a.id = c.attempt_id`,
    [at],
  );
  const lots: string[][] = [];
  for (let from = 0; from < found.length; from += IDS_AT_ONCE)
    lots.push(found.slice(from, from + IDS_AT_ONCE).map(({ id }) => id));
  return lots;
}

/** Nobody is named in a report of whom nothing personal may be left. */
const emptyBodies = (db: Db, ids: readonly string[], batch: number): Promise<number> =>
  execute(
    db,
    `UPDATE webhook_events SET body = NULL WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM webhook_events
       WHERE body IS NOT NULL AND status IN ('PROCESSED', 'IGNORED') AND body LIKE ANY ($1::text[])
       LIMIT ${batch} FOR UPDATE SKIP LOCKED))`,
    [ids.map((id) => `%${id.replaceAll(/[%_\\]/g, '\\$&')}%`)],
  );
