import { ApplicationFailure, continueAsNew, setCurrentDetails, sleep } from '@temporalio/workflow';
import { parkingFor, type Parking } from '../../kit/parking';
import { durableTransactionsForever, handlersFinished } from '../../kit/proxies';
import { renewalBy } from '../../kit/waiting/renewal';
import {
  eventFailureProcess,
  type DeliveryRef,
  type EventFailureActivities,
  type EventFailureResult,
  type ParkedDelivery,
} from './event-failure.contract';
import { isTriedHourly, TRY_AGAIN_EVERY_MS } from './event-failure.rules';

/** The later events of the entity, and pools, wait until it is decided: no answer of the database may be lost. */
const forever = durableTransactionsForever<EventFailureActivities>();

const WORDS: Readonly<Record<EventFailureResult, string>> = {
  DUE: 'It is tried again by its consumer.',
  DEAD: 'An operator gave it up: it is not applied.',
  APPLIED: 'It is applied.',
};

/** Waits for a person, or an hour if it was not tried often enough, and makes the delivery due again. */
function untilRetried(parking: Parking, delivery: DeliveryRef, parked: ParkedDelivery) {
  let hourIsOver = false;
  if (isTriedHourly(parked.attempts))
    sleep(TRY_AGAIN_EVERY_MS).then(
      () => (hourIsOver = true),
      () => undefined, // The process was cancelled.
    );
  return parking.step(
    'apply the event',
    (isRetry) => {
      // The consumer has tried: the step that failed is its.
      if (!isRetry && !hourIsOver) return Promise.reject(new ApplicationFailure(parked.lastError));
      return forever.retryDelivery(delivery);
    },
    () => hourIsOver,
  );
}

/** One delivery that its consumer could not apply: tried again, or given up by a person. */
export async function eventFailure(delivery: DeliveryRef): Promise<EventFailureResult> {
  const parking = parkingFor(
    eventFailureProcess.entityId(delivery),
    renewalBy(() => continueAsNew<typeof eventFailure>(delivery)),
  );
  const parked = await forever.parkedDelivery(delivery);
  let result: EventFailureResult;
  if (typeof parked === 'string') {
    parking.goesOn();
    result = parked;
  } else {
    const retried = await parking.orAbandoned(() => untilRetried(parking, delivery, parked));
    result = retried === 'ABANDONED' ? await forever.abandonDelivery(delivery) : retried;
  }
  setCurrentDetails(WORDS[result]);
  await handlersFinished();
  return result;
}
