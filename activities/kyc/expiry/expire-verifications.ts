import { ApplicationFailure } from '@temporalio/common';
import {
  approvalsToTellOf,
  overdueApprovals,
  type DueVerification,
} from '../../../db/kyc/ending/expiry.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type { JobWork } from '../../administration/job/job-work';
import { eachRow } from '../each-row';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { expireVerification } from './expire-verification';
import { tellOfExpiry } from './tell-of-expiry';

/** Verifications of one batch. */
const BATCH = 500;
/** The most verifications that a failed run names. */
const MOST_NAMED = 50;

interface KycExpiryDeps {
  /** A pool for long work. */
  longDb: Db;
  policy: Pick<Policy, 'kycNoticeDays'>;
  /** Verifications of one batch. */
  batch?: number;
}

/** The outcome of a step for the verifications that were due. */
interface Ended {
  changed: number;
  /** The ids of those that could not be changed. */
  failed: string[];
}

/**
 * The daily expiry. What is due is read from the rows, so a run makes up for those that were missed. One that could not change some
 * verifications does all others first, and then fails for good with their ids, so that operators hear of it.
 */
export const kycExpiryWork =
  (deps: KycExpiryDeps): JobWork =>
  async ({ at }, signal) => {
    const expired = await expireVerifications(deps, at, signal);
    const told = await tellOfExpiries(deps, at, signal);
    const failed = [...expired.failed, ...told.failed];
    if (failed.length > 0)
      throw ApplicationFailure.nonRetryable(
        `Verifications that could not be changed: ${failed.slice(0, MOST_NAMED).join(', ')}`,
        'VerificationsFailed',
      );
    return {
      done: expired.changed + told.changed,
      words: `Verifications that expired: ${expired.changed}; users told that theirs ends soon: ${told.changed}`,
    };
  };

/** Ends approvals whose time is over at `at`; the level of their users falls to that of another approval, or to BASIC. */
export const expireVerifications = (deps: KycExpiryDeps, at: Date, signal: AbortSignal): Promise<Ended> =>
  oneByOne(deps, signal, {
    find: (after, limit) => overdueApprovals(deps.longDb, at, { after, limit }),
    change: (due) => expireVerification(deps.longDb, due, at),
  });

/** Tells users whose approval ends soon, each once. */
export const tellOfExpiries = (deps: KycExpiryDeps, at: Date, signal: AbortSignal): Promise<Ended> => {
  const until = new Date(at.getTime() + deps.policy.kycNoticeDays * DAY_MS);
  return oneByOne(deps, signal, {
    find: (after, limit) => approvalsToTellOf(deps.longDb, { at, until }, { after, limit }),
    change: (due) => tellOfExpiry(deps.longDb, due, at),
  });
};

/**
 * Changes each verification in a transaction of its own, so that nobody waits for a whole batch, and one that fails
 * stops no other.
 */
async function oneByOne(
  { longDb: db, batch = BATCH }: KycExpiryDeps,
  signal: AbortSignal,
  {
    find,
    change,
  }: {
    find: (after: string | null, limit: number) => Promise<DueVerification[]>;
    change: (due: DueVerification) => Promise<boolean>;
  },
): Promise<Ended> {
  const ended: Ended = { changed: 0, failed: [] };
  let after: string | null = null;
  do {
    const found = await find(after, batch);
    const failed = await eachRow(found, { db, idOf: ({ kycId }) => kycId, signal }, async (due) => {
      if (await change(due)) ended.changed++;
    });
    ended.failed.push(...failed);
    after = found.length === batch ? (found.at(-1)?.kycId ?? null) : null;
  } while (after !== null);
  return ended;
}
