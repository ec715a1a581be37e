import { execute, firstRow } from '../../../db/sql/query';
import { eventFailureProcess } from '../../../workflows/administration/domain-event/event-failure.contract';
import { entranceProcess } from '../../../workflows/partners/membership/entrance.contract';
import { poolKey } from '../../../workflows/partners/pool/pool-period.rules';
import { poolProcess } from '../../../workflows/partners/pool/pool.contract';
import { checkProcesses } from '../../../workers/checks/check-processes';
import type { Broken } from '../../../db/invariants/invariant';
import { startOptions, type ProcessDefinition } from '../../../workflows/kit/process';
import { make } from '../../support/builders/make';
import { poolRun } from '../../support/builders/make/partners/pool-runs';
import { entrance } from '../../support/builders/partnering/entering';
import { eventually } from '../../support/checks/eventually';
import { ownWorld } from '../../support/worlds/world';
import { noGrace, one, violationsAfter, violationsWhileRunning } from '../violations';

const world = ownWorld({ worker: false });

/** The delivery of an event that its consumer could apply. */
async function appliedEvent(state: 'DUE' | 'DEAD' = 'DUE') {
  const { id: partnerId } = await make.partner(world.db);
  const delivery = await firstRow<{ position: number }>(
    world.db,
    `UPDATE event_deliveries SET state = $2, state_since = now() - interval '1 minute' WHERE entity_id = $1 RETURNING position`,
    [partnerId, state],
  );
  const ref = { consumer: 'commissions' as const, position: delivery!.position };
  return { ref, entity: eventFailureProcess.entityId(ref) };
}

/** The violations while a process runs that nobody serves, once the server's list has it. */
async function seenWhileListed<Input>(process: ProcessDefinition<Input>, input: Input): Promise<Broken[]> {
  const { workflow } = world.temporal;
  const options = startOptions(process, input);
  const handle = await workflow.start(process.type, { ...options, taskQueue: 'nobody-serves-this' });
  try {
    await eventually(async () => {
      const query = `ExecutionStatus = 'Running' AND WorkflowId = '${options.workflowId}'`;
      expect(await workflow.count(query)).toMatchObject({ count: 1 });
    });
    return await checkProcesses(world.temporal, world.db, noGrace);
  } finally {
    await handle.terminate();
  }
}

describe('an event', () => {
  const PARKS = `UPDATE event_deliveries SET state = 'PARKED', due_at = $2 WHERE position = $1`;

  test('processes.drive-open-rows: an event that could not be applied, for which no sweep has started a process', async () => {
    const { ref, entity } = await appliedEvent();
    const broken = await violationsAfter(world, PARKS, [ref.position, new Date(Date.now() - 2 * 3_600_000)]);
    expect(broken).toEqual(
      one('processes.drive-open-rows', entity, /is PARKED, but event-failure:commissions:.+ does not run/),
    );
  });

  test('processes.drive-open-rows: neither one whose process the sweep starts, nor one that was given up', async () => {
    const [{ ref }, dead] = [await appliedEvent(), await appliedEvent('DEAD')];
    expect(await violationsAfter(world, PARKS, [ref.position, new Date()])).toEqual([]);
    expect(
      await violationsAfter(world, 'UPDATE event_deliveries SET due_at = now() WHERE position = $1', [
        dead.ref.position,
      ]),
    ).toEqual([]);
  });

  test('processes.end-with-their-rows: the process of an event that is given up', async () => {
    const { ref, entity } = await appliedEvent('DEAD');
    const broken = await violationsWhileRunning(world, eventFailureProcess, ref);
    expect(broken).toEqual(
      one('processes.end-with-their-rows', entity, /^event-failure:.+ still runs: .+ is DEAD/),
    );
  });
});

describe('an entrance fee', () => {
  /** One that nobody paid. */
  async function cancelled(): Promise<{ id: string; userId: string }> {
    const made = await entrance(world.db);
    await execute(
      world.db,
      `UPDATE partner_entrances SET status = 'CANCELLED', payment_status = 'FAILED', ended_at = now() - interval '1 second'
       WHERE id = $1`,
      [made.id],
    );
    return made;
  }

  test('processes.drive-open-rows: one that waits for its payment, without a process', async () => {
    const { id, userId } = await cancelled();
    const broken = await violationsAfter(
      world,
      `UPDATE partner_entrances SET status = 'PENDING_PAYMENT', ended_at = NULL WHERE id = $1`,
      [id],
    );
    expect(broken).toEqual(
      one('processes.drive-open-rows', userId, /PENDING_PAYMENT, but partner-entrance:.+ does not run/),
    );
  });

  test('processes.end-with-their-rows: the process of a cancelled one, unless a later one waits', async () => {
    const { userId } = await cancelled();
    expect(await violationsWhileRunning(world, entranceProcess, { userId })).toEqual(
      one('processes.end-with-their-rows', userId, /^partner-entrance:.+ still runs: .+ is CANCELLED/),
    );
    await entrance(world.db, { userId });
    expect(await seenWhileListed(entranceProcess, { userId })).toEqual([]);
    await execute(world.db, 'DELETE FROM partner_entrances WHERE user_id = $1', [userId]);
  });
});

describe('a pool', () => {
  test('processes.drive-open-rows: one whose shares are not all paid, without a process', async () => {
    const { id, period } = await poolRun(world.db);
    const broken = await violationsAfter(
      world,
      `UPDATE pool_runs SET status = 'PAYING', completed_at = NULL WHERE id = $1`,
      [id],
    );
    expect(broken).toEqual(
      one('processes.drive-open-rows', poolKey(period), /PAYING, but pool:weekly:.+ does not run/),
    );
  });

  test('processes.end-with-their-rows: the process of one that is paid', async () => {
    const { id, period } = await poolRun(world.db);
    await execute(
      world.db,
      `UPDATE pool_runs SET counted_at = ends_at, completed_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    const { kind, period: name } = period;
    expect(await violationsWhileRunning(world, poolProcess, { kind, period: name })).toEqual(
      one('processes.end-with-their-rows', poolKey(period), /^pool:weekly:.+ still runs: .+ is COMPLETED/),
    );
  });

  test('nor one that waits for the last sales of its period, and has no row yet', async () => {
    expect(await seenWhileListed(poolProcess, { kind: 'MONTHLY', period: '2020-02' })).toEqual([]);
  });
});
