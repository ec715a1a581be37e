import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { durableTransactions, now, timeoutUntil } from '../../kit/proxies';
import { PROVIDER_STEP_MS } from '../../kit/limits/provider-times';
import { providerQueue } from '../../kit/queues';
import type {
  KycPushActivities,
  KycPushProviderActivities,
  KycPushInput,
  KycPushProgress,
  KycPushResult,
} from './kyc-push.contract';
import { pushEndsBy } from './kyc-sync.rules';

const durable = durableTransactions<KycPushActivities>();

/** Calls to the provider, repeated until the run has to end. */
const calls = (at: string) =>
  proxyActivities<KycPushProviderActivities>({
    taskQueue: providerQueue('investment'),
    startToCloseTimeout: PROVIDER_STEP_MS,
    scheduleToCloseTimeout: timeoutUntil(pushEndsBy(at)),
    heartbeatTimeout: '20 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '10 minutes' },
  });

/** Batches of one history. */
const ROUNDS = 50;
/** A provider that refuses so many batches in a row would refuse the others too. */
const MOST_REFUSED = 10;

/**
 * One push. Batches that are refused are left to the next slot, and so is everything when the provider does not answer
 * until the end of this one: the process then fails, and what was not accepted is still found as changed.
 */
export async function kycPush({ providerCode, slot, progress }: KycPushInput): Promise<KycPushResult> {
  let run: KycPushProgress = progress ?? {
    at: now(),
    after: null,
    size: null,
    accepted: 0,
    refused: 0,
    refusedInARow: 0,
  };
  const { at } = run;
  if (!progress) await durable.beginKycPush({ providerCode, slot, at });
  for (let round = 0; round < ROUNDS; round++) {
    const { accepted, refused, after, size, isRefusing } = await pushBatch(providerCode, run);
    run = {
      ...{ at, after, size, accepted: run.accepted + accepted, refused: run.refused + refused },
      refusedInARow: isRefusing ? run.refusedInARow + 1 : accepted > 0 ? 0 : run.refusedInARow,
    };
    setCurrentDetails(`Users accepted: ${run.accepted}; refused: ${run.refused}`);
    if (after === null || run.refusedInARow === MOST_REFUSED) return end(providerCode, run);
  }
  return continueAsNew<typeof kycPush>({ providerCode, slot, progress: run });
}

async function pushBatch(providerCode: string, { at, after, size }: KycPushProgress) {
  try {
    return await calls(at).pushKycBatch({ providerCode, at, after, size });
  } catch (error) {
    await durable.endKycPush({ providerCode, at, isWhole: false });
    throw error;
  }
}

async function end(
  providerCode: string,
  { at, after, accepted, refused }: KycPushProgress,
): Promise<KycPushResult> {
  await durable.endKycPush({ providerCode, at, isWhole: after === null });
  return { accepted, refused };
}
