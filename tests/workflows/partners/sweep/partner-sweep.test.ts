import { execute, firstRow } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { commissionEngineProcess } from '../../../../workflows/partners/commission/commission-engine.contract';
import { commissionEventProcess } from '../../../../workflows/partners/commission/commission-event.contract';
import {
  partnerSweepProcess,
  type PartnerSweepResult,
} from '../../../../workflows/partners/sweep/partner-sweep.contract';
import { make } from '../../../support/builders/make';
import { keepHistory } from '../../../support/checks/histories';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['batch'], variables: { POLICY_COMMISSION_ENGINES: '2' } });

async function sweep(): Promise<PartnerSweepResult> {
  await startProcesses(world.temporal)(partnerSweepProcess, {});
  return world.temporal.workflow.getHandle(partnerSweepProcess.id({})).result();
}

test('starts engines that do not run, and the process of a parked event that has none, once', async () => {
  await make.partner(world.db);
  const event = await firstRow<{ id: string }>(
    world.db,
    `UPDATE domain_events SET parked_at = now() - interval '1 hour', next_attempt_at = now(), attempts = 5
     WHERE type = 'partner.joined' RETURNING id`,
  );
  expect(await sweep()).toEqual({ engines: 2, events: 1, entrances: 0 });
  const process = commissionEventProcess.id({ eventId: event!.id });
  expect(await world.temporal.workflow.getHandle(process).result()).toBe('TAKEN');
  expect(await sweep()).toEqual({ engines: 0, events: 0, entrances: 0 });
  await keepHistory(world.temporal.workflow.getHandle(partnerSweepProcess.id({})), 'swept');

  await world.temporal.workflow.getHandle(commissionEngineProcess.id({ engine: 1 })).terminate('by mistake');
  expect(await sweep()).toEqual({ engines: 1, events: 0, entrances: 0 });
});

test('the process of a parked event that was ended by mistake is started again', async () => {
  await make.partner(world.db);
  const event = await firstRow<{ id: string }>(
    world.db,
    `UPDATE domain_events SET parked_at = now() - interval '1 hour', type = 'order.paid', attempts = 5
     WHERE type = 'partner.joined' AND taken_at IS NULL RETURNING id`,
  );
  expect(await sweep()).toMatchObject({ events: 1 });
  const process = commissionEventProcess.id({ eventId: event!.id });
  expect(await sweep()).toMatchObject({ events: 0 });
  await world.temporal.workflow.getHandle(process).terminate('by mistake');
  expect(await sweep()).toMatchObject({ events: 1 });
  await execute(world.db, 'UPDATE domain_events SET given_up_at = now() WHERE id = $1', [event!.id]);
  await world.temporal.workflow.getHandle(process).terminate('by mistake');
  expect(await sweep()).toMatchObject({ events: 0 });
});

test('an event that was taken since needs no process', async () => {
  await make.partner(world.db);
  await execute(
    world.db,
    `UPDATE domain_events SET parked_at = now() - interval '1 hour', next_attempt_at = now(), taken_at = now()
     WHERE type = 'partner.joined'`,
  );
  expect(await sweep()).toMatchObject({ events: 0 });
});
