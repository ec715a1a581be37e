import {
  approvePayout,
  cancelPayout,
  completePayout,
  processPayout,
  rejectPayout,
  transferReported,
} from '../../../../workflows/commerce/payout/payout.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { firstRow } from '../../../../db/sql/query';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { stored } from '../../../activities/commerce/chargeback/chargebacks';
import { toppingUp } from '../../../activities/ledger/topping-up';
import { fundsOf, payee } from '../../../support/builders/paying-out/payees';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import type { SkippingWorld } from '../../../support/worlds/skipping-world';
import { detailsOf, parks } from '../refund/refund-processes';
import { patient } from '../sales';
import { becomes, decides, processed, requested, startPayoutWorld, type Bank } from './payout-processes';

let world: SkippingWorld;
const bank: Bank = { provider: new FakePayouts(), current: 'sandbox' };

beforeAll(async () => {
  world = await startPayoutWorld(bank);
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  bank.provider = new FakePayouts();
});

test('money of a wallet is approved, sent and over', async () => {
  const one = await processed(world, 'WALLET');
  expect(one.state.status).toBe('COMPLETED');
  expect(one.process.workflowId).toBe(`wallet-withdrawal:${one.input.payoutId}`);
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(world, one, 'COMPLETED');
  expect(await fundsOf(world.db, one.one.userId)).toMatchObject({ walletMinor: 60_00 });
  await keepHistory(one.process, 'completed');
});

test('rejected, it is in the wallet again', async () => {
  const one = await requested(world, 'WALLET');
  await decides(world, one, rejectPayout, { returnsFunds: true, text: 'No.' });
  expect(await one.process.result()).toBe('REJECTED');
  expect(await fundsOf(world.db, one.one.userId)).toMatchObject({ walletMinor: 100_00, heldMinor: 0 });
  await keepHistory(one.process, 'rejected');
});

test('refused by its provider, it is approved and held', async () => {
  bank.provider.mood = 'refuses';
  const one = await requested(world, 'WALLET');
  await decides(world, one, approvePayout, {});
  await expect(decides(world, one, processPayout, {})).rejects.toMatchObject({ type: 'PAYMENT_FAILED' });
  await becomes(world, one, 'APPROVED');
  expect(await fundsOf(world.db, one.one.userId)).toMatchObject({ walletMinor: 60_00, heldMinor: 40_00 });
});

test('cancelled by its owner, the money is in the wallet again', async () => {
  const one = await requested(world, 'WALLET');
  await decides(world, one, cancelPayout, { byOwner: true, by: one.one.userId });
  expect(await one.process.result()).toBe('CANCELLED');
  expect(await fundsOf(world.db, one.one.userId)).toMatchObject({ walletMinor: 100_00, heldMinor: 0 });
  await keepHistory(one.process, 'cancelled');
});

describe('held money of a top-up that a bank takes back', () => {
  /** A withdrawal of 40.00 by somebody whose wallet is of a top-up of 100.00. */
  async function ofTopUp() {
    const who = await payee(world.db, { kind: 'WALLET', availableMinor: 0 });
    const topUp = await toppingUp(world).paid({ userId: who.userId });
    return { topUp, ...(await requested(world, 'WALLET', who)) };
  }
  type OfTopUp = Awaited<ReturnType<typeof ofTopUp>>;
  const takenBack = async ({ one }: OfTopUp) =>
    expect(await fundsOf(world.db, one.userId)).toMatchObject({
      ...{ walletMinor: 0, heldMinor: 0, payouts: ['REJECTED 4000'] },
    });

  /** Lets the process of the report run, by default without a try that committed before; answers it. */
  async function reported({ topUp }: OfTopUp, { hasCommitted = false } = {}) {
    const { topUpId, attemptId, paymentId } = topUp;
    const change = { paymentId, amountMinor: topUp.amountMinor, chargebackId: 'one' };
    const of = { orderId: topUpId, attemptId };
    const webhookEventId = await stored(world.db, 'payment.charged_back', of, change);
    const event = await firstRow<{ provider: string; externalEventId: string }>(
      world.db,
      'SELECT provider, external_event_id FROM webhook_events WHERE id = $1',
      [webhookEventId],
    );
    const input = { ...event!, webhookEventId };
    const { steps, now } = toppingUp(world);
    if (hasCommitted) await steps().applyPaymentEvent({ webhookEventId, at: now() });
    await world.processes.start(paymentEventProcess, input);
    const report = patient(world).workflow.getHandle(paymentEventProcess.id(input));
    expect(await report.result()).toBe('PROCESSED');
    return report;
  }

  test('the process of the report tells that of the withdrawal, and both end', async () => {
    const one = await ofTopUp();
    const report = await reported(one);
    expect(await one.process.result()).toBe('REJECTED');
    await takenBack(one);
    await keepHistory(one.process, 'charged-back');
    await keepHistory(report, 'top-up-charged-back');
  });

  test('the answer of the step was lost when it had committed: the next try tells it', async () => {
    const one = await ofTopUp();
    await reported(one, { hasCommitted: true });
    expect(await one.process.result()).toBe('REJECTED');
    await takenBack(one);
  });

  test('a process that has ended is not waited for, and a decision starts none that changes anything', async () => {
    const one = await ofTopUp();
    await one.process.terminate('lost');
    await reported(one);
    await expect(decides(world, one, approvePayout, {})).rejects.toMatchObject({ type: 'NOT_PENDING' });
    await takenBack(one);
  });

  test('the signal was lost: the process finds it within a day, also when it is approved', async () => {
    const [pending, approved] = [await ofTopUp(), await ofTopUp()];
    await decides(world, approved, approvePayout, {});
    for (const { topUp } of [pending, approved])
      await toppingUp(world).chargedBack('payment.charged_back', topUp);
    for (const one of [pending, approved])
      await expect(decides(world, one, processPayout, {})).rejects.toMatchObject({ type: 'NOT_APPROVED' });
    await world.sleep('25 hours');
    expect(await Promise.all([pending, approved].map((one) => one.process.result()))).toEqual([
      'REJECTED',
      'REJECTED',
    ]);
    await keepHistory(pending.process, 'charged-back-found');
  });
});

test('one that nobody decides on is looked at every day, and parks after three', async () => {
  const one = await requested(world, 'WALLET');
  await world.sleep('73 hours');
  await parks(one.process);
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  await world.sleep('25 hours');
  await parks(one.process);
  await decides(world, one, rejectPayout, { returnsFunds: true, text: 'Too late.' });
  expect(await one.process.result()).toBe('REJECTED');
  await keepHistory(one.process, 'looked-at-then-reminded');
});

test('told of the end of its transfer, it looks at once', async () => {
  bank.provider.mood = 'is silent';
  const one = await processed(world, 'WALLET');
  bank.provider.arrives(bank.provider.sent[0]!);
  await one.process.signal(transferReported);
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(one.process, 'told');
});

test('silent for days, tried again and abandoned, it stays with its provider until it has arrived', async () => {
  bank.provider.mood = 'is silent';
  const one = await processed(world, 'WALLET');
  const decision = (of: typeof retryStep) => one.process.executeUpdate(of, { args: [{ noteId: null }] });
  await world.sleep('73 hours');
  await parks(one.process);
  await decision(retryStep);
  await parks(one.process);
  // A retry that has only just begun is not abandoned.
  await eventually(() => decision(abandonStep));
  await becomes(world, one, 'PROCESSING');
  await eventually(async () =>
    expect(await detailsOf(one.process)).toContain('sandbox may still send this payout'),
  );
  bank.provider.arrives(bank.provider.sent[0]!);
  await expect(decides(world, one, completePayout, { outcome: 'DONE' })).rejects.toMatchObject({
    type: 'ALREADY_SETTLED',
  });
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.provider.sent).toHaveLength(1);
  await keepHistory(one.process, 'silent-then-by-hand');
});
