import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db } from '../../sql/query';
import type { IdempotencyKey } from './idempotency-key.model';

/** The identity of a request: its owner, its route, and its Idempotency-Key. */
export interface RequestName {
  owner: string;
  route: string;
  key: string;
}

/** The state of an earlier request under the same key. */
export type EarlierRequest =
  | { state: 'another body' }
  | { state: 'in progress' }
  | { state: 'open' }
  | { state: 'done'; status: number; body: string };

/** A claim on a request; `claimedAt` distinguishes it from later claims. */
export interface Claim extends RequestName {
  claimedAt: Date;
  /** The first use of the key; a key that is used again after its retention gets a new one. */
  createdAt: Date;
  /** The number of the try, from 1. A try that ended without an answer is followed by a new update of the process. */
  tries: number;
}

/** Retention of a key. */
const KEPT = `interval '24 hours'`;
/** The age at which a claim belongs to a process that died: no request takes as long. */
const STALE = `interval '30 seconds'`;
/** The time in milliseconds, the precision of a JavaScript date, so that a claim compares equal after a read. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

type Row = Pick<Attributes<IdempotencyKey>, 'bodyHash' | 'state' | 'status'> & {
  body: string | null;
  stale: boolean;
};

/** The state of the request of this name; null if there was none in the last 24 hours. */
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
 * Claims a request: a new one, an open one, or one whose holder died. Of several concurrent callers one gets it, the
 * others null. Ids minted for it earlier stay.
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

/** Stores `ids` for the request, except those of names that it has ids for; returns its ids. */
export async function mintForRequest<Name extends string>(
  db: Db,
  request: RequestName,
  ids: Record<Name, string>,
): Promise<Record<Name, string>> {
  const row = await firstRow<{ minted: Record<Name, string> }>(
    db,
    `UPDATE idempotency_keys SET minted = $4::jsonb || minted
      WHERE owner = $1 AND route = $2 AND key = $3 RETURNING minted`,
    [request.owner, request.route, request.key, JSON.stringify(ids)],
  );
  if (!row) throw new Error('The request to mint an id for no longer exists.');
  return row.minted;
}

/**
 * Stores the answer for repetitions; false, without a change, when another request has taken the claim over. Inside the
 * transaction of the change, both are committed or neither. The body is one JSON string, since jsonb would sort its
 * fields.
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
 * Releases a request that could not be answered, so that the next try continues with the same ids. With `spent`, that
 * try sends its process a new update, since the server has concluded this one without an answer.
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
 * Deletes an owner's oldest answered keys, down to `most`; returns the number of deleted ones. A key without an answer
 * stays, since it holds the ids of its request: only a request that failed on our side leaves one, until its retention
 * ends.
 */
export async function forgetSurplusKeys(db: Db, owner: string, most: number): Promise<number> {
  return execute(
    db,
    `DELETE FROM idempotency_keys WHERE owner = $1 AND state = 'DONE' AND (route, key) IN (
       SELECT route, key FROM idempotency_keys WHERE owner = $1 AND state = 'DONE' ORDER BY created_at DESC OFFSET $2)`,
    [owner, most],
  );
}
