import { execute, firstRow } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { eventConsumerProcess } from '../../../../workflows/administration/domain-event/event-consumer.contract';
import { eventFailureProcess } from '../../../../workflows/administration/domain-event/event-failure.contract';
import {
  partnerSweepProcess,
  type PartnerSweepResult,
} from '../../../../workflows/partners/sweep/partner-sweep.contract';
import { make } from '../../../support/builders/make';
import { keepHistory } from '../../../support/checks/histories';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['batch'] });

async function sweep(): Promise<PartnerSweepResult> {
  await startProcesses(world.temporal)(partnerSweepProcess, {});
  return world.temporal.workflow.getHandle(partnerSweepProcess.id({})).result();
}

/** The event of a partner, parked an hour ago; answers its process. */
async function parked() {
  const { id } = await make.partner(world.db);
  const delivery = await firstRow<{ position: number }>(
    world.db,
    `UPDATE event_deliveries SET state = 'PARKED', state_since = now() - interval '1 hour', attempts = 5
     WHERE entity_id = $1 RETURNING position`,
    [id],
  );
  const { position } = delivery!;
  const process = eventFailureProcess.id({ consumer: 'commissions', position });
  const set = (change: string) =>
    execute(world.db, `UPDATE event_deliveries SET ${change} WHERE position = $1`, [position]);
  return { process: world.temporal.workflow.getHandle(process), position, set };
}

test('starts consumers that do not run, and the process of a parked event that has none, once', async () => {
  const { process, set } = await parked();
  expect(await sweep()).toEqual({ consumers: 1, failures: 1, entrances: 0 });
  expect(await sweep()).toEqual({ consumers: 0, failures: 0, entrances: 0 });
  await keepHistory(world.temporal.workflow.getHandle(partnerSweepProcess.id({})), 'swept');
  expect((await process.describe()).status.name).toBe('RUNNING');

  const consumer = eventConsumerProcess.id({ consumer: 'commissions' });
  await world.temporal.workflow.getHandle(consumer).terminate('by mistake');
  expect(await sweep()).toEqual({ consumers: 1, failures: 0, entrances: 0 });
  await process.terminate();
  await set(`state = 'DUE'`);
});

test('the process of a parked event that was ended by mistake is started again', async () => {
  const { process, set } = await parked();
  expect(await sweep()).toMatchObject({ failures: 1 });
  expect(await sweep()).toMatchObject({ failures: 0 });
  await process.terminate('by mistake');
  expect(await sweep()).toMatchObject({ failures: 1 });
  await set(`state = 'DEAD'`);
  await process.terminate('by mistake');
  expect(await sweep()).toMatchObject({ failures: 0 });
});

test('an event that was applied since needs no process', async () => {
  const { position } = await parked();
  await execute(world.db, 'DELETE FROM event_deliveries WHERE position = $1', [position]);
  expect(await sweep()).toMatchObject({ failures: 0 });
});
