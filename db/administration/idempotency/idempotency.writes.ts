import { execute, firstRow, type Db } from '../../sql/query';

/** Names one wish: whose it is, which kind of request, and the Idempotency-Key they gave it. */
export interface RequestName {
  owner: string;
  route: string;
  key: string;
}

/** What became of a wish that was made before. */
export type EarlierRequest =
  | { state: 'another body' }
  | { state: 'in progress' }
  | { state: 'open' }
  | { state: 'done'; status: number; body: string };

/** A wish in hand. `claimedAt` tells this hold on it from a later one. */
export interface Claim extends RequestName {
  claimedAt: Date;
  /** When the key was first used; a key that is used anew after its day has another. */
  createdAt: Date;
  /** The number of the try, from 1: processes are asked anew after an outcome that was no answer. */
  tries: number;
}

/** How long a key is remembered. */
const KEPT = `interval '24 hours'`;
/** A claim this old belongs to a process that died: nothing that a person waits for takes as long. */
const STALE = `interval '30 seconds'`;
/** Rounded to what a JavaScript date holds, so that it can be compared with what was read. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

interface Row {
  bodyHash: string;
  state: 'CLAIMED' | 'OPEN' | 'DONE';
  status: number | null;
  body: string | null;
  stale: boolean;
}

/** What became of the wish of this name, null if there was none in the last 24 hours. */
export async function earlierRequest(
  db: Db,
  name: RequestName,
  bodyHash: string,
): Promise<EarlierRequest | null> {
  const row = await firstRow<Row>(
    db,
    `SELECT body_hash, state, status, body #>> '{}' AS body, claimed_at < ${NOW} - ${STALE} AS stale FROM idempotency_keys
      WHERE owner = $1 AND route = $2 AND key = $3 AND created_at >= ${NOW} - ${KEPT}`,
    [name.owner, name.route, name.key],
  );
  if (!row) return null;
  if (row.bodyHash !== bodyHash) return { state: 'another body' };
  if (row.status !== null && row.body !== null) return { state: 'done', status: row.status, body: row.body };
  return { state: row.state === 'OPEN' || row.stale ? 'open' : 'in progress' };
}

/**
 * Takes a wish in hand: a new one, one left open, or one whose holder died. Of several at once one gets it, the others
 * null. The ids minted for it earlier stay with it.
 */
export async function claimRequest(db: Db, name: RequestName, bodyHash: string): Promise<Claim | null> {
  const row = await firstRow<Pick<Claim, 'claimedAt' | 'createdAt' | 'tries'>>(
    db,
    `INSERT INTO idempotency_keys AS old (owner, route, key, body_hash, state, claimed_at, created_at)
     VALUES ($1, $2, $3, $4, 'CLAIMED', ${NOW}, ${NOW})
     ON CONFLICT (owner, route, key) DO UPDATE SET
       body_hash = excluded.body_hash,
       state = 'CLAIMED',
       status = NULL,
       body = NULL,
       minted = CASE WHEN old.created_at < ${NOW} - ${KEPT} THEN '{}' ELSE old.minted END,
       tries = CASE WHEN old.created_at < ${NOW} - ${KEPT} THEN 1 ELSE old.tries END,
       created_at = CASE WHEN old.created_at < ${NOW} - ${KEPT} THEN excluded.created_at ELSE old.created_at END,
       claimed_at = excluded.claimed_at
     WHERE old.created_at < ${NOW} - ${KEPT}
        OR (old.body_hash = excluded.body_hash
            AND (old.state = 'OPEN' OR (old.state = 'CLAIMED' AND old.claimed_at < ${NOW} - ${STALE})))
     RETURNING claimed_at, created_at, tries`,
    [name.owner, name.route, name.key, bodyHash],
  );
  return row && { ...name, ...row };
}

/** Keeps `ids` as the wish's ids of these names, unless it has them; answers those it has from now on. */
export async function mintForRequest<Name extends string>(
  db: Db,
  wish: RequestName,
  ids: Record<Name, string>,
): Promise<Record<Name, string>> {
  const row = await firstRow<{ minted: Record<Name, string> }>(
    db,
    `UPDATE idempotency_keys SET minted = $4::jsonb || minted
      WHERE owner = $1 AND route = $2 AND key = $3 RETURNING minted`,
    [wish.owner, wish.route, wish.key, JSON.stringify(ids)],
  );
  if (!row) throw new Error('The wish is no longer there to mint an id for.');
  return row.minted;
}

/**
 * Keeps the answer for a repetition; false when the claim was taken over by another request meanwhile, and then nothing
 * changes. In the transaction of the change itself, the one is never kept without the other. The body is kept as one
 * JSON string, for jsonb would sort its fields.
 */
export async function concludeClaim(db: Db, claim: Claim, status: number, body: string): Promise<boolean> {
  const kept = await execute(
    db,
    `UPDATE idempotency_keys SET state = 'DONE', status = $5, body = to_jsonb($6::text)
      WHERE owner = $1 AND route = $2 AND key = $3 AND state = 'CLAIMED' AND claimed_at = $4`,
    [claim.owner, claim.route, claim.key, claim.claimedAt, status, body],
  );
  return kept > 0;
}

/**
 * Lets go of a wish that could not be answered, so that the next try takes it up with the same ids. With `spent`, that
 * try asks its process anew: the outcome that this one got is final for the server, and is no answer.
 */
export async function reopenClaim(db: Db, claim: Claim, { spent }: { spent: boolean }): Promise<void> {
  await execute(
    db,
    `UPDATE idempotency_keys SET state = 'OPEN', tries = tries + $5
      WHERE owner = $1 AND route = $2 AND key = $3 AND state = 'CLAIMED' AND claimed_at = $4`,
    [claim.owner, claim.route, claim.key, claim.claimedAt, spent ? 1 : 0],
  );
}

/**
 * Forgets an owner's oldest answered keys, so that at most `most` of these are left; answers how many. A key without an
 * answer holds the ids under which its request is to be found again, so it stays: only a request that was counted
 * against its limits and then failed on our side leaves one, and each goes after its day.
 */
export async function forgetSurplusKeys(db: Db, owner: string, most: number): Promise<number> {
  return execute(
    db,
    `DELETE FROM idempotency_keys WHERE owner = $1 AND state = 'DONE' AND (route, key) IN (
       SELECT route, key FROM idempotency_keys WHERE owner = $1 AND state = 'DONE' ORDER BY created_at DESC OFFSET $2)`,
    [owner, most],
  );
}
