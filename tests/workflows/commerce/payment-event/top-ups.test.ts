import { v7 } from 'uuid';
import { bankTransferProcess } from '../../../../workflows/commerce/payment-event/bank-transfer.contract';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { storedReport } from '../../../support/builders/ordering';
import { TOP_UP_MINOR, topUpState } from '../../../support/builders/wallets/top-ups';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';
import { asks, processOf, transfers } from '../../ledger/top-up/top-ups';
import { patient } from '../sales';

const world = ownCheckedSkippingWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });

const PAID = { topUps: ['PAID PAID'], walletMinor: TOP_UP_MINOR, refunds: [] };

test('a report pays a top-up once and tells its process', async () => {
  const attemptId = v7();
  const made = await asks(world, { attemptId });
  const event = await storedReport(world.db, 'PAID', { attemptId, amountMinor: TOP_UP_MINOR });
  await world.processes.start(paymentEventProcess, event);
  const report = patient(world).workflow.getHandle(paymentEventProcess.id(event));
  expect(await report.result()).toBe('PROCESSED');
  expect(await processOf(world, made).result()).toBe('PAID');
  expect(await topUpState(world.db, made.userId)).toMatchObject({ ...PAID, attempts: ['CARD PAID'] });
  await keepHistory(report, 'top-up-applied');
});

test('a transfer pays a top-up and tells its process', async () => {
  const made = await asks(world, { paymentMethod: 'BANK_TRANSFER' });
  const { captureId, ...outcome } = await transfers(world, made);
  expect(outcome).toEqual({ status: 'PAID', paymentStatus: 'PAID', outcome: 'APPLIED' });
  expect(await processOf(world, made).result()).toBe('PAID');
  expect(await topUpState(world.db, made.userId)).toMatchObject(PAID);
  const transfer = patient(world).workflow.getHandle(bankTransferProcess.id({ captureId }));
  expect(await transfer.result()).toBe('APPLIED');
  await keepHistory(transfer, 'top-up-applied');
});
