import { completedPeriods, firstPartnerAt } from '../../../db/partners/pool/pool.reads';
import type { Db } from '../../../db/sql/query';
import {
  poolPeriodAt,
  poolPeriodBefore,
  type PoolKind,
} from '../../../workflows/partners/pool/pool-period.rules';
import { poolProcess } from '../../../workflows/partners/pool/pool.contract';
import type { JobWork } from '../../administration/job/job-work';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

/** The most periods that are looked back: ten years of weeks. */
const MOST_PERIODS = 530;
/** The most that one firing starts; the next one goes on with the rest. */
const MOST_STARTED = 60;

/** A run of the schedule of a kind, for the periods that have closed when it was due. */
export const startPoolsWork =
  ({ longDb: db, start }: { longDb: Db; start: StartProcess }, kind: PoolKind): JobWork =>
  async ({ due }) => {
    const started = await startPools({ db, start }, kind, due);
    const words =
      started.length === 0 ? 'No pool was due.' : `Pools that were started: ${started.join(', ')}`;
    return { done: started.length, words };
  };

/**
 * Starts the pools of the periods without a completed run, the oldest first, from the one in which the first partner joined
 * to the one that closed last before `at`; the last one also without any partner, so that there is a run of it. Returns their
 * names; a pool that runs goes on.
 */
export async function startPools(
  { db, start }: { db: Db; start: StartProcess },
  kind: PoolKind,
  at: Date,
): Promise<string[]> {
  const first = await firstPartnerAt(db);
  const last = poolPeriodBefore(poolPeriodAt(kind, at));
  const names = [last.period];
  for (let period = last; first !== null && period.startsAt > first && names.length < MOST_PERIODS;) {
    period = poolPeriodBefore(period);
    names.unshift(period.period);
  }
  const completed = await completedPeriods(db, kind, names);
  const due = names.filter((period) => !completed.has(period)).slice(0, MOST_STARTED);
  for (const period of due) await start(poolProcess, { kind, period });
  return due;
}
