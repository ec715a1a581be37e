import { execute } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { topUpProcess } from '../../../../workflows/ledger/top-up/top-up.contract';
import { topUpSweep } from '../../../../workflows/ledger/top-up/top-up-sweep.job';
import { topUp, topUpState } from '../../../support/builders/wallets/top-ups';
import { doJob } from '../../../support/worlds/run-job';
import { ownCheckedWorld } from '../../../support/worlds/world';

const world = ownCheckedWorld({ queues: ['interactive', 'batch', 'long', ...PROVIDER_QUEUES] });

const sweep = async () => ({ started: (await doJob(world.temporal, topUpSweep)).done });

test('a top-up past its window without a process is followed again, and cancelled once', async () => {
  const [lost, due, open] = [await topUp(world.db), await topUp(world.db), await topUp(world.db)];
  const expired = (minutes: number, { id }: { id: string }) =>
    execute(
      world.db,
      `UPDATE top_ups SET payment_expires_at = now() - interval '1 minute' * $2 WHERE id = $1`,
      [id, minutes],
    );
  await expired(60, lost);
  // Its process may be about to cancel it.
  await expired(5, due);
  expect(await sweep()).toEqual({ started: 1 });
  const process = world.temporal.workflow.getHandle(topUpProcess.id({ topUpId: lost.id }));
  expect(await process.result()).toBe('CANCELLED');
  expect(await topUpState(world.db, lost.userId)).toMatchObject({
    ...{ topUps: ['CANCELLED FAILED'], mails: ['unpaid'] },
  });
  for (const { userId } of [due, open])
    expect((await topUpState(world.db, userId)).topUps).toEqual(['PENDING_PAYMENT PENDING']);
  expect(await sweep()).toEqual({ started: 0 });
});
