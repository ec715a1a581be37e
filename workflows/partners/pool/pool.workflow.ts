import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import { parkingFor } from '../../kit/parking';
import { LONG_WORK, localTransactions, millisecondsUntil, now } from '../../kit/proxies';
import { poolProcess, type PoolActivities, type PoolCountActivities, type PoolInput } from './pool.contract';
import type { PoolResult } from './pool.contract';

const local = localTransactions<PoolActivities>();

const counting = proxyActivities<PoolCountActivities>(LONG_WORK);

const LOOK_EVERY_MS = 300_000;
/** Looks in one history, four hours of them; the next ones have a new history. */
const LOOKS = 48;

/**
 * One period. It waits for the commission engine and for other pools of its kind for as long as that takes, and parks on failures only. Its truth is in the
 * rows, so that it can be started again after any end.
 */
export async function pool(input: PoolInput): Promise<PoolResult> {
  const parking = parkingFor(poolProcess.entityId(input));
  const { kind, period } = input;
  const outcome = await parking.orAbandoned(async () => {
    const { from } = await local.poolCountableFrom({ kind, period, at: now() });
    const waitMs = millisecondsUntil(from);
    if (waitMs > 0) {
      setCurrentDetails(`Waits until ${from} for the last sales of the period.`);
      await sleep(waitMs);
    }
    setCurrentDetails('Counts the sales of the period.');
    const count = () =>
      parking.step('count the sales of the period', () => counting.countPool({ kind, period }));
    let counted = await count();
    for (let look = 1; counted === null; look++) {
      setCurrentDetails(
        'Waits until the commission engine has counted every sale of the period, and no other pool of its kind is being counted.',
      );
      await sleep(LOOK_EVERY_MS);
      if (look > LOOKS || workflowInfo().continueAsNewSuggested) return continueAsNew<typeof pool>(input);
      counted = await count();
    }
    setCurrentDetails(
      `Pays the shares of ${counted.participants} partners: GET /admin/pools/${counted.runId}`,
    );
    await parking.step('pay the shares', () => counting.payPool({ runId: counted.runId }));
    return counted;
  });
  if (outcome === 'ABANDONED') return { status: 'ABANDONED', participants: 0 };
  setCurrentDetails(`Partners with a share: ${outcome.participants}. GET /admin/pools/${outcome.runId}`);
  return { status: 'COMPLETED', participants: outcome.participants };
}
