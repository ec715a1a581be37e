import { removeBlobs } from '../../../db/blobs/discarded.writes';
import type { BlobStore } from '../../../db/blobs/port';
import { forgetUploads } from '../../../db/kyc/document/document-removal.transitions';
import { emptyVerification, withdrawVerification } from '../../../db/kyc/ending/erasure.transitions';
import {
  abandonedVerifications,
  isAbandoned,
  verificationsPastRecord,
  type ExpiredVerification,
} from '../../../db/kyc/ending/retention.reads';
import { statusAfterEnd } from '../../../db/kyc/standing/user-standing.reads';
import { setUserStanding } from '../../../db/kyc/standing/user-standing.transitions';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import { lockVerification } from '../../../db/kyc/verification/verification.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { eachRow } from '../each-row';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';

export type VerificationRetention = Pick<Policy, 'kycAbandonedDays' | 'kycRecordDays'>;

interface Deps {
  db: Db;
  blobs: BlobStore;
  policy: VerificationRetention;
}

/** The most of each kind that one run empties; the next run continues. */
const RUN_VERIFICATIONS = 500;
/** The most of those that failed that an error names. */
const MOST_NAMED = 50;

/**
 * Deletes documents and personal data of verifications that their users left unfinished, which are withdrawn, and of those
 * that were over years ago, whose decisions stay. Returns the number of verifications. One that fails stops no other, and in
 * the end it throws. It may be interrupted and repeated.
 */
export async function forgetVerifications(
  { db, blobs, policy }: Deps,
  at: Date,
  { signal, most = RUN_VERIFICATIONS }: { signal?: AbortSignal; most?: number } = {},
): Promise<number> {
  const daysAgo = (days: number): Date => new Date(at.getTime() - days * DAY_MS);
  const [unchangedSince, overSince] = [daysAgo(policy.kycAbandonedDays), daysAgo(policy.kycRecordDays)];
  const failed: string[] = [];
  let forgotten = 0;
  const each = async <Found extends { id: string }>(
    found: readonly Found[],
    forget: (tx: Tx, one: Found) => Promise<string[] | null>,
  ): Promise<void> => {
    const those = await eachRow(found, { db, idOf: ({ id }) => id, signal }, async (one) => {
      const names = await inTransaction(db, (tx) => forget(tx, one));
      if (names === null) return;
      await removeBlobs(db, blobs, names);
      forgotten += 1;
    });
    failed.push(...those);
  };
  await each(await abandonedVerifications(db, unchangedSince, most), (tx, verification) =>
    withdrawAbandoned(tx, verification, { at, unchangedSince }),
  );
  await each(await verificationsPastRecord(db, overSince, most), async (tx, { id, userId }) => {
    await lockUserStanding(tx, userId);
    return emptyVerification(tx, id, at);
  });
  if (failed.length > 0)
    throw new Error(
      `Verifications whose data could not be deleted: ${failed.slice(0, MOST_NAMED).join(', ')}`,
    );
  return forgotten;
}

/** Null: its user has continued meanwhile. */
async function withdrawAbandoned(
  tx: Tx,
  { id, userId }: ExpiredVerification,
  { at, unchangedSince }: { at: Date; unchangedSince: Date },
): Promise<string[] | null> {
  await lockUserStanding(tx, userId);
  const verification = await lockVerification(tx, id);
  if (!verification || !(await isAbandoned(tx, id, unchangedSince))) return null;
  const blobs = await withdrawVerification(tx, verification, at);
  await forgetUploads(tx, userId);
  await setUserStanding(tx, userId, { kycStatus: await statusAfterEnd(tx, userId) }, at);
  return blobs;
}
