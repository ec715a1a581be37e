import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  isCancellation,
} from '@temporalio/workflow';
import { parkingFor, type Parking } from '../../kit/parking';
import { durableTransactionsForever, handlersFinished } from '../../kit/proxies';
import { renewalBy } from '../../kit/waiting/renewal';
import type {
  CommissionEventActivities,
  CommissionEventInput,
  CommissionEventResult,
} from './commission-event.contract';

/** The engine has tried several times before, so that a person is asked after a few minutes. */
const durable = proxyActivities<CommissionEventActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '30 minutes',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 4,
    maximumInterval: '2 minutes',
    maximumAttempts: 5,
  },
});

/** A decision of a person must not be lost: pools wait for events that are neither counted nor given up. */
const forever = durableTransactionsForever<CommissionEventActivities>();

/** A cause that many events have in common is gone some time later, and nobody should have to retry each of them. */
const TRY_AGAIN_EVERY_MS = 3_600_000;
/** Bounds the history; then it waits for a person alone, or for its next run. */
const MOST_TRIES = 24;

/** Counts the event; a failed try is repeated an hour after it, also while the process waits for a person. */
async function countEvent(
  parking: Parking,
  { eventId, tries }: { eventId: string; tries: { failed: number } },
): Promise<CommissionEventResult> {
  let dueAgain = 0;
  const tryAgainLater = (): void => {
    const tried = ++tries.failed;
    if (tried > MOST_TRIES) return;
    sleep(TRY_AGAIN_EVERY_MS).then(
      () => (dueAgain = tried),
      () => undefined, // The process was cancelled.
    );
  };
  const count = async (): Promise<CommissionEventResult> => {
    try {
      return await durable.takeParkedEvent({ eventId });
    } catch (error) {
      if (!isCancellation(error)) tryAgainLater();
      throw error;
    }
  };
  return parking.step('count the event', count, () => dueAgain === tries.failed);
}

/** One event that holds up no other: it is counted as soon as its cause is gone, or given up by a person. */
export async function commissionEvent({
  eventId,
  failed = 0,
}: CommissionEventInput): Promise<CommissionEventResult> {
  const tries = { failed };
  const parking = parkingFor(
    eventId,
    renewalBy(() => continueAsNew<typeof commissionEvent>({ eventId, failed: tries.failed })),
  );
  const counted = await parking.orAbandoned(() => countEvent(parking, { eventId, tries }));
  const result = counted === 'ABANDONED' ? await forever.giveUpEvent({ eventId }) : counted;
  setCurrentDetails(
    result === 'TAKEN'
      ? 'Counted.'
      : 'An operator gave it up, or the payment that it refunds: it is not counted.',
  );
  await handlersFinished();
  return result;
}
