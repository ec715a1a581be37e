import {
  endDelivery,
  endWith,
  lockNext,
  markFailuresStarted,
  recordFailedTry,
} from '../../../db/administration/domain-event/event-delivery.transitions';
import { isDatabaseAway, sqlStateOf } from '../../../db/sql/errors';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Consumer } from '../../../workflows/administration/domain-event/consumers.rules';
import type { ConsumingResult } from '../../../workflows/administration/domain-event/event-consumer.contract';
import {
  eventFailureProcess,
  type DeliveryRef,
} from '../../../workflows/administration/domain-event/event-failure.contract';
import { MOST_TRIES, WAITS_MS } from '../../../workflows/administration/domain-event/event-failure.rules';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';
import type { Effects } from './effect';

export interface ConsumerDeps {
  db: Db;
  start: StartProcess;
  effects: Effects;
}

type Outcome = keyof ConsumingResult;

/**
 * Applies one event of a consumer, in one transaction with the end of its delivery. A failure is recorded and holds up only later
 * events of the same entity. Returns null if none is due. Throws if the database is away.
 */
export async function applyEvent(
  deps: ConsumerDeps,
  consumer: Consumer,
  end: 'first' | 'last' = 'first',
): Promise<Outcome | null> {
  const current: { delivery: DeliveryRef | null } = { delivery: null };
  try {
    return await inTransaction(deps.db, async (tx): Promise<Outcome | null> => {
      current.delivery = null;
      const event = await lockNext(tx, consumer, end);
      if (!event) return null;
      const delivery = { consumer, position: event.position };
      current.delivery = delivery;
      const givenUp = await deps.effects[consumer](tx, event, new Date());
      if (givenUp === null) await endDelivery(tx, delivery);
      else await endWith(tx, delivery, givenUp);
      return givenUp === null ? 'applied' : 'dead';
    });
  } catch (error) {
    const { delivery } = current;
    if (delivery === null || (isDatabaseAway(error) && !isOfStatement(error))) throw error;
    return recordFailure(deps, delivery, error);
  }
}

/** True for a time-out of a statement or a lock, which one event alone may cause again and again. */
const isOfStatement = (error: unknown): boolean => ['57014', '55P03'].includes(sqlStateOf(error) ?? '');

async function recordFailure(deps: ConsumerDeps, tried: DeliveryRef, error: unknown): Promise<Outcome> {
  const reason = error instanceof Error ? error.message : String(error);
  const failure = { error: reason, waitsMs: WAITS_MS, tries: MOST_TRIES };
  if (!(await recordFailedTry(deps.db, tried, failure))) return 'failed';
  await startFailure(deps, tried);
  return 'parked';
}

/** Starts the process of a parked delivery. The sweep starts it if Temporal does not answer. */
async function startFailure({ db, start }: ConsumerDeps, parked: DeliveryRef): Promise<void> {
  try {
    await start(eventFailureProcess, parked);
  } catch {
    return;
  }
  await markFailuresStarted(db, [parked]);
}
