import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { refusalIn } from '../../../../workflows/errors';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { topUpProcess } from '../../../../workflows/ledger/top-up/top-up.contract';
import { TOP_UP_MINOR, topUpState } from '../../../support/builders/wallets/top-ups';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { parks } from '../../commerce/refund/refund-processes';
import { asks, cancels, processOf, transfers, type Asked } from './top-ups';

let world: SkippingWorld;
/** Run before each cancellation after a payment window. */
let beforeExpiry: () => Promise<void>;
beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      async expireTopUp(topUp) {
        await beforeExpiry();
        return real.expireTopUp(topUp);
      },
    }),
  });
});
beforeEach(() => {
  beforeExpiry = () => Promise.resolve();
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const becomes = ({ userId }: Asked, state: object): Promise<void> =>
  eventually(async () => expect(await topUpState(world.db, userId)).toMatchObject(state));
const ends = (process: WorkflowHandle, result: string): Promise<void> =>
  eventually(async () => expect(await process.result()).toBe(result));

test('told of its payment, it ends before its window does', async () => {
  const made = await asks(world, { paymentMethod: 'BANK_TRANSFER' });
  await becomes(made, { topUps: ['PENDING_PAYMENT PENDING'], mails: ['transfer'] });
  expect(await transfers(world, made)).toMatchObject({ status: 'PAID', outcome: 'APPLIED' });
  await ends(processOf(world, made), 'PAID');
  await becomes(made, {
    ...{ topUps: ['PAID PAID'], walletMinor: TOP_UP_MINOR, refunds: [] },
    ledger: ['clearing_bank -10000', 'wallet 10000'],
  });
  await keepHistory(processOf(world, made), 'told-of-its-payment');
});

test('refused: nothing is opened', async () => {
  const topUpId = v7();
  const refused = await asks(world, { topUpId, amountMinor: 1 }).catch((error: unknown) => error);
  expect(refusalIn(refused)).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { amount: [expect.any(String)] },
  });
  await ends(processOf(world, { topUpId }), 'REFUSED');
  await keepHistory(processOf(world, { topUpId }), 'refused');
});

test('unpaid after 30 minutes: cancelled and mailed; money after that goes back', async () => {
  const made = await asks(world);
  await world.sleep('29 minutes');
  await becomes(made, { topUps: ['PENDING_PAYMENT PENDING'], attempts: ['CARD PENDING'] });
  await world.sleep('2 minutes');
  await ends(processOf(world, made), 'CANCELLED');
  await becomes(made, { topUps: ['CANCELLED FAILED'], attempts: ['CARD EXPIRED'], mails: ['unpaid'] });
  await keepHistory(processOf(world, made), 'expired');
  expect(await transfers(world, made)).toMatchObject({ status: 'CANCELLED', outcome: 'RETURNED' });
  // A person has to send what came by transfer.
  await becomes(made, { walletMinor: 0, refunds: ['LATE_PAYMENT 10000 PROCESSING'] });
});

test('a transfer is waited for three days', async () => {
  const made = await asks(world, { paymentMethod: 'BANK_TRANSFER' });
  await world.sleep('71 hours');
  await becomes(made, { topUps: ['PENDING_PAYMENT PENDING'] });
  await world.sleep('2 hours');
  await ends(processOf(world, made), 'CANCELLED');
  await becomes(made, { attempts: ['BANK_TRANSFER EXPIRED'] });
});

test('cancelled by its owner: it ends at once; cancelled again, it is only answered', async () => {
  const made = await asks(world);
  expect(await cancels(world, made)).toMatchObject({ status: 'CANCELLED' });
  await ends(processOf(world, made), 'CANCELLED');
  await becomes(made, { topUps: ['CANCELLED FAILED'], attempts: ['CARD EXPIRED'], mails: [] });
  await keepHistory(processOf(world, made), 'cancelled');
  expect(await cancels(world, made)).toMatchObject({ status: 'CANCELLED' });
  await ends(processOf(world, made), 'CANCELLED');
  await keepHistory(processOf(world, made), 'cancelled-again');
});

test('a paid one is not cancelled', async () => {
  const made = await asks(world, { paymentMethod: 'BANK_TRANSFER' });
  await transfers(world, made);
  await ends(processOf(world, made), 'PAID');
  const refused = await cancels(world, made).catch((error: unknown) => error);
  expect(refusalIn(refused)?.code).toBe('CANNOT_CANCEL');
  await ends(processOf(world, made), 'PAID');
  await keepHistory(processOf(world, made), 'cancelled-too-late');
});

test('a cancellation that fails waits for an operator: retried, it is cancelled once; abandoned, the row stays and is followed again', async () => {
  const [one, other] = [await asks(world), await asks(world)];
  beforeExpiry = () => Promise.reject(new Error('The ledger is away.'));
  await world.sleep('2 hours');
  await Promise.all([one, other].map((made) => parks(processOf(world, made))));
  beforeExpiry = () => Promise.resolve();
  await processOf(world, one).executeUpdate(retryStep, { args: [{ noteId: null }] });
  await ends(processOf(world, one), 'CANCELLED');
  await keepHistory(processOf(world, one), 'parked-retried');
  await becomes(one, { topUps: ['CANCELLED FAILED'], mails: ['unpaid'] });
  await processOf(world, other).executeUpdate(abandonStep, { args: [{ noteId: null }] });
  await ends(processOf(world, other), 'ABANDONED');
  await keepHistory(processOf(world, other), 'abandoned');
  await becomes(other, { topUps: ['PENDING_PAYMENT PENDING'], mails: [] });
  const { topUpId, userId } = other;
  await world.processes.start(topUpProcess, { topUpId, userId, exists: true });
  await ends(processOf(world, other), 'CANCELLED');
  await keepHistory(processOf(world, other), 'followed-again');
  await becomes(other, { topUps: ['CANCELLED FAILED'], mails: ['unpaid'] });
});
