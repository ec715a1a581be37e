import { setTimeout as pause } from 'node:timers/promises';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { FaultContext } from '../../fault';
import type { Part } from '../../platform/part';
import type { Stack } from '../../platform/stack';
import { comeBack, moment, seen } from '../moments';

export type Victim = 'all workers' | 'all APIs' | 'PostgreSQL' | 'Temporal';

/** The parts that are killed together. */
function partsOf({ workers, apis, parts }: Stack, victim: Victim): readonly Part[] {
  switch (victim) {
    case 'all workers':
      return workers;
    case 'all APIs':
      return apis;
    case 'PostgreSQL':
      return [parts.postgres];
    case 'Temporal':
      return [parts.temporal];
  }
}

/** A worker waits for a lock in a statement about this. */
const waitsFor = (words: string): string => `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%${words}%' AND pid <> pg_backend_pid()`;

/** Holds a lock until a worker waits for it in the middle of a transaction; then kills the victim. */
export async function killWhile(
  context: FaultContext,
  { victim, lock, waits }: { victim: Victim; lock: string; waits: string },
  begin: () => Promise<unknown>,
): Promise<void> {
  const { stack, random } = context;
  let killed = false;
  const held = inTransaction(stack.db, async (tx) => {
    await execute(tx, lock);
    await begin();
    await moment(`a worker waits: ${waits}`, seen(stack.db, waitsFor(waits)));
    await pause(random.int(0, 300));
    await Promise.all(partsOf(stack, victim).map((part) => part.kill()));
    killed = true;
  });
  // The transaction that holds the lock is lost with PostgreSQL.
  await held.catch((error: unknown) => {
    if (!killed || victim !== 'PostgreSQL') throw error;
  });
  await comeBack(context);
}

/** Fires a schedule twice at once. */
export const fireTwice = ({ stack }: FaultContext, schedule: string): Promise<unknown> =>
  Promise.all(
    [1, 2].map(() => stack.temporal.schedule.getHandle(schedule).trigger(ScheduleOverlapPolicy.ALLOW_ALL)),
  );
