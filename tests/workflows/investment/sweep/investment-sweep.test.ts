import { execute, rows } from '../../../../db/sql/query';
import { paymentRefundProcess } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { participationProcess } from '../../../../workflows/investment/participation/participation.contract';
import { investmentSweep } from '../../../../workflows/investment/sweep/investment-sweep.job';
import { withdrawalProcess } from '../../../../workflows/investment/withdrawal/withdrawal.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { participationState, walletMinor } from '../../../support/builders/investing/investors';
import { withdrawnByHand } from '../../../support/builders/investing/withdrawing';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { doJob } from '../../../support/worlds/run-job';
import { ownCheckedWorld } from '../../../support/worlds/world';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const world = ownCheckedWorld({ queues: ['interactive', 'batch', 'long', ...PROVIDER_QUEUES] });

const sweep = async () => ({ started: (await doJob(world.temporal, investmentSweep)).done });
const ago = (ms: number): Date => new Date(Date.now() - ms);
const processOf = (participationId: string) =>
  world.temporal.workflow.getHandle(participationProcess.id({ participationId }));

test('what is due and has no process goes on: mature, unpaid, on its way; what is not due is left alone', async () => {
  const { db } = world;
  const mature = await make.participation(db, { status: 'ACTIVE', at: ago(90 * DAY_MS + HOUR_MS) });
  const unpaid = await make.participation(db, { at: ago(HOUR_MS) });
  const running = await make.participation(db, { status: 'ACTIVE' });
  const waiting = await make.participation(db);
  const [withdrawalId, young] = [await withdrawnByHand(db), await withdrawnByHand(db)];
  await execute(db, 'UPDATE investment_withdrawals SET created_at = $2 WHERE id = $1', [
    withdrawalId,
    ago(HOUR_MS),
  ]);

  expect(await sweep()).toEqual({ started: 3 });
  expect(await processOf(mature.id).result()).toBe('MATURED');
  expect(await walletMinor(db, mature.userId)).toBe(1_000_00);
  expect(await processOf(unpaid.id).result()).toBe('CANCELLED');
  expect(await participationState(db, unpaid.id)).toMatchObject({ status: 'CANCELLED' });
  const withdrawal = world.temporal.workflow.getHandle(withdrawalProcess.id({ withdrawalId }));
  await eventually(async () => {
    const { currentDetails } = await withdrawal.query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(currentDetails).toContain('Waits for a person to send the money');
  });
  await expect(processOf(running.id).describe()).rejects.toThrow();
  await expect(processOf(waiting.id).describe()).rejects.toThrow();
  await expect(
    world.temporal.workflow.getHandle(withdrawalProcess.id({ withdrawalId: young })).describe(),
  ).rejects.toThrow();

  expect(await sweep()).toEqual({ started: 0 });
});

test('a refund on its way whose process was lost is sent, once; a recent one is left alone', async () => {
  const { db } = world;
  const lost = await given(db).order().paid().cancelled();
  const recent = await given(db).order().paid().cancelled();
  await execute(db, `UPDATE payment_refunds SET created_at = now() - interval '1 hour' WHERE id = $1`, [
    lost.refundId,
  ]);
  expect(await sweep()).toEqual({ started: 1 });
  const processOfRefund = ({ refundId }: { refundId: string }) =>
    world.temporal.workflow.getHandle(paymentRefundProcess.id({ refundId }));
  expect(await processOfRefund(lost).result()).toBe('COMPLETED');
  await expect(processOfRefund(recent).describe()).rejects.toThrow();
  expect(await sweep()).toEqual({ started: 0 });
  const sent = await rows(db, `SELECT key FROM sandbox_refunds WHERE key LIKE $1 || ':%'`, [lost.refundId]);
  expect(sent).toEqual([{ key: `${lost.refundId}:1` }]);
});

test('more than a batch is swept to the end, those of one moment too', async () => {
  const { db } = world;
  const { id: strategyId } = await make.strategy(db);
  const { id: userId } = await make.user(db, { kycLevel: 'STANDARD' });
  const at = ago(2 * HOUR_MS);
  for (let n = 0; n < 205; n++) await make.participation(db, { strategyId, userId, at });
  expect(await sweep()).toEqual({ started: 205 });
});
