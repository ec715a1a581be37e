import {
  markFailuresStarted,
  parkedDeliveries,
} from '../../../db/administration/domain-event/event-delivery.transitions';
import type { Db } from '../../../db/sql/query';
import { CONSUMER_NAMES } from '../../../workflows/administration/domain-event/consumers.rules';
import { eventConsumerProcess } from '../../../workflows/administration/domain-event/event-consumer.contract';
import { eventFailureProcess } from '../../../workflows/administration/domain-event/event-failure.contract';
import { inBatches } from '../../commerce/webhook/in-batches';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

/** Younger ones are skipped: the consumer that parked them is about to start them. */
const GRACE_MS = 10_000;
const BATCH = 200;

/** Starts the consumers of events that do not run; returns their number. */
export async function startConsumers(start: StartProcess): Promise<number> {
  let started = 0;
  for (const consumer of CONSUMER_NAMES)
    if ((await start(eventConsumerProcess, { consumer })) === 'started') started++;
  return started;
}

/** Starts the processes of parked deliveries that have none; returns their number. */
export async function startFailures(
  { db, start }: { db: Db; start: StartProcess },
  at: string,
): Promise<number> {
  const before = new Date(Date.parse(at) - GRACE_MS);
  return inBatches(await parkedDeliveries(db, before, BATCH), async (group) => {
    const outcomes = await Promise.allSettled(group.map((delivery) => start(eventFailureProcess, delivery)));
    await markFailuresStarted(
      db,
      group.filter((_, index) => outcomes[index]?.status === 'fulfilled'),
    );
    return outcomes;
  });
}
