import { ApplicationFailure } from '@temporalio/common';
import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type {
  KycExpiryActivities,
  KycExpiryInput,
  KycExpiryProgress,
  KycExpiryResult,
} from './kyc-expiry.contract';

const batches = proxyActivities<KycExpiryActivities>({
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 10 },
});

/** Batches of one history. */
const ROUNDS = 20;
/** The most verifications that a failed run names. */
const MOST_NAMED = 50;

/**
 * One run. What is due is read from the rows, so a run makes up for those that were missed, and it fails instead of
 * parking when the database is unavailable: the next day's run does the rest. One that could not change some verifications
 * does all others first, and then fails with their ids, so that operators hear of it.
 */
export async function kycExpiry({ progress }: KycExpiryInput): Promise<KycExpiryResult> {
  const at = workflowInfo().startTime.toISOString();
  let run: KycExpiryProgress = progress ?? { at, step: 'EXPIRE', after: null, expired: 0, told: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    run = await (run.step === 'EXPIRE' ? expire(run) : tell(run));
    const { expired, told } = run;
    setCurrentDetails(`Verifications that expired: ${expired}; users told that theirs ends soon: ${told}`);
    if (run.step === 'TELL' && run.after === null) return finish(run);
  }
  return continueAsNew<typeof kycExpiry>({ progress: run });
}

function finish({ expired, told, failed = [] }: KycExpiryProgress): KycExpiryResult {
  if (failed.length === 0) return { expired, told };
  throw ApplicationFailure.nonRetryable(
    `Verifications that could not be changed: ${failed.join(', ')}`,
    'VerificationsFailed',
  );
}

/** The next batch of approvals that end. */
async function expire(run: KycExpiryProgress): Promise<KycExpiryProgress> {
  const { changed, after, failed } = await batches.expireVerifications({ at: run.at, after: run.after });
  const next = { ...run, after, expired: run.expired + changed, ...failedOf(run, failed) };
  return after === null ? tell(next) : next;
}

/** The next batch of users who are told. */
async function tell(run: KycExpiryProgress): Promise<KycExpiryProgress> {
  const { changed, after, failed } = await batches.tellOfExpiry({ at: run.at, after: run.after });
  return { ...run, step: 'TELL', after, told: run.told + changed, ...failedOf(run, failed) };
}

const failedOf = (run: KycExpiryProgress, failed: string[] = []): Pick<KycExpiryProgress, 'failed'> =>
  failed.length === 0 ? {} : { failed: [...(run.failed ?? []), ...failed].slice(0, MOST_NAMED) };
