import { execute } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { entranceProcess } from '../../../../workflows/partners/membership/entrance.contract';
import {
  partnerSweepProcess,
  type PartnerSweepResult,
} from '../../../../workflows/partners/sweep/partner-sweep.contract';
import { entrance } from '../../../support/builders/partnering/entering';
import { joiner, membershipState } from '../../../support/builders/partnering/joining';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedWorld } from '../../../support/worlds/world';

const world = ownCheckedWorld({ queues: ['interactive', 'batch', ...PROVIDER_QUEUES] });

async function sweep(): Promise<PartnerSweepResult> {
  await startProcesses(world.temporal)(partnerSweepProcess, {});
  return world.temporal.workflow.getHandle(partnerSweepProcess.id({})).result();
}

test('an entrance fee past its window without a process is followed again, and cancelled once', async () => {
  const [lost, due] = [await entrance(world.db), await entrance(world.db)];
  const expired = (minutes: number, { id }: { id: string }) =>
    execute(
      world.db,
      `UPDATE partner_entrances SET payment_expires_at = now() - interval '1 minute' * $2 WHERE id = $1`,
      [id, minutes],
    );
  await expired(60, lost);
  // Its process may be about to cancel it.
  await expired(5, due);
  expect(await sweep()).toMatchObject({ entrances: 1 });
  const process = world.temporal.workflow.getHandle(entranceProcess.id(lost));
  expect(await process.result()).toBe('CANCELLED');
  expect(await membershipState(world.db, lost.userId)).toMatchObject({
    ...{ entrances: ['CANCELLED FAILED'], mails: ['unpaid'] },
  });
  expect((await membershipState(world.db, due.userId)).entrances).toEqual(['PENDING_PAYMENT PENDING']);
  expect(await sweep()).toMatchObject({ entrances: 0 });
  await keepHistory(world.temporal.workflow.getHandle(partnerSweepProcess.id({})), 'swept-with-entrances');
});

test('who joins where no fee is due has a process that ends at once', async () => {
  const ada = await joiner(world);
  expect((await ada.join()).status).toBe(201);
  const process = world.temporal.workflow.getHandle(entranceProcess.id({ userId: ada.id }));
  expect(await process.result()).toBe('JOINED');
  await keepHistory(process, 'joined-without-a-fee');
});
