import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import { refusal } from '../../errors';
import { parkingFor, type Parking } from '../../kit/parking';
import { renewalBy } from '../../kit/waiting/renewal';
import { LONG_WORK, localTransactions, millisecondsUntil, now } from '../../kit/proxies';
import { DAY_MS } from '../../kit/values/durations.rules';
import {
  poolProcess,
  type CountedPool,
  type PoolActivities,
  type PoolCountActivities,
  type PoolInput,
  type PoolResult,
  type PoolWait,
} from './pool.contract';

const local = localTransactions<PoolActivities>();

const counting = proxyActivities<PoolCountActivities>(LONG_WORK);

const LOOK_EVERY_MS = 300_000;
/** Looks in one history, four hours of them; the next ones have a new history. */
const LOOKS = 48;
/** Then a person decides whether it waits no longer. */
const LONGEST_WAIT_MS = DAY_MS;

type Input = PoolInput & { wait?: PoolWait };

/** The wait of this run, which the next one takes over. */
interface Held {
  wait: PoolWait | undefined;
}

/**
 * One period. It waits for a day at most for the commission engine and for other pools of its kind, then for a person. Its truth
 * is in the rows, so that it can be started again after any end.
 */
export async function pool(input: Input): Promise<PoolResult> {
  const { kind, period } = input;
  const held: Held = { wait: input.wait };
  const renew = (): Promise<never> =>
    continueAsNew<typeof pool>({ kind, period, ...(held.wait && { wait: held.wait }) });
  const parking = parkingFor(poolProcess.entityId(input), renewalBy(renew));
  const outcome = await parking.orAbandoned(async () => {
    const { from } = await local.poolCountableFrom({ kind, period, at: now() });
    const waitMs = millisecondsUntil(from);
    if (waitMs > 0) {
      setCurrentDetails(`Waits until ${from} for the last sales of the period.`);
      await sleep(waitMs);
    }
    const counted = await countWhenComplete({ kind, period }, { held, parking, renew });
    setCurrentDetails(
      `Pays the shares of ${counted.participants} partners: GET /admin/pools/${counted.runId}`,
    );
    await parking.step('pay the shares', () => counting.payPool({ runId: counted.runId }));
    return counted;
  });
  parking.goesOn();
  if (outcome === 'ABANDONED') return { status: 'ABANDONED', participants: 0 };
  setCurrentDetails(`Partners with a share: ${outcome.participants}. GET /admin/pools/${outcome.runId}`);
  return { status: 'COMPLETED', participants: outcome.participants };
}

/** Counts the period once nothing of it is missing, or a person has decided not to wait for that. */
async function countWhenComplete(
  of: PoolInput,
  { held, parking, renew }: { held: Held; parking: Parking; renew: () => Promise<never> },
): Promise<CountedPool> {
  const wait = (held.wait ??= { since: now(), withoutUncounted: false });
  for (let look = 1; ; look++) {
    setCurrentDetails('Counts the sales of the period.');
    const counted = await parking.step('count the sales of the period', () =>
      counting.countPool({ ...of, withoutUncounted: wait.withoutUncounted }),
    );
    if (counted !== null) return counted;
    if (!wait.withoutUncounted && Date.now() - Date.parse(wait.since) >= LONGEST_WAIT_MS) {
      await askWhetherToWait(parking);
      wait.withoutUncounted = true;
      continue;
    }
    setCurrentDetails(
      'Waits until the commission engine has counted every sale of the period, and no other pool of its kind is being counted.',
    );
    await sleep(LOOK_EVERY_MS);
    if (look > LOOKS || workflowInfo().continueAsNewSuggested) await renew();
  }
}

/** Ends when a person lets the pool be counted without the sales that are not; throws if they give it up. */
async function askWhetherToWait(parking: Parking): Promise<void> {
  const words =
    'Sales of the period have waited for a day to be counted. Retry counts the pool without them.';
  if ((await parking.ask(words, () => false)) === 'abandon')
    throw refusal('ABANDONED', 'An operator gave up the pool.');
}
