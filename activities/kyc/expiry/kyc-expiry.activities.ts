import {
  approvalsToTellOf,
  overdueApprovals,
  type DueVerification,
} from '../../../db/kyc/ending/expiry.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type {
  KycExpiryActivities,
  KycExpiryBatchResult,
} from '../../../workflows/kyc/expiry/kyc-expiry.contract';
import { withHeartbeat } from '../../heartbeat';
import { eachRow } from '../each-row';
import { expireVerification } from './expire-verification';
import { tellOfExpiry } from './tell-of-expiry';

/** Verifications of one batch, some seconds of work. */
const BATCH = 500;
const DAY_MS = 86_400_000;

/** The activities of the daily expiry. `batch`: verifications of one batch. */
export const kycExpiryActivities = ({
  db,
  policy,
  batch = BATCH,
}: {
  db: Db;
  policy: Policy;
  batch?: number;
}): KycExpiryActivities => ({
  expireVerifications: ({ at, after }) => {
    const moment = new Date(at);
    return oneByOne(
      db,
      batch,
      () => overdueApprovals(db, moment, { after, limit: batch }),
      (due) => expireVerification(db, due, moment),
    );
  },
  tellOfExpiry: ({ at, after }) => {
    const moment = new Date(at);
    const until = new Date(moment.getTime() + policy.kycNoticeDays * DAY_MS);
    return oneByOne(
      db,
      batch,
      () => approvalsToTellOf(db, { at: moment, until }, { after, limit: batch }),
      (due) => tellOfExpiry(db, due, moment),
    );
  },
});

/**
 * Changes each verification in a transaction of its own, so that nobody waits for a whole batch, and one that fails
 * stops no other.
 */
const oneByOne = (
  db: Db,
  batch: number,
  find: () => Promise<DueVerification[]>,
  change: (due: DueVerification) => Promise<boolean>,
): Promise<KycExpiryBatchResult> =>
  withHeartbeat(async (signal) => {
    const found = await find();
    let changed = 0;
    const failed = await eachRow(found, { db, idOf: ({ kycId }) => kycId, signal }, async (due) => {
      if (await change(due)) changed++;
    });
    const last = found.length === batch ? found.at(-1) : undefined;
    return { changed, after: last?.kycId ?? null, ...(failed.length > 0 && { failed }) };
  });
