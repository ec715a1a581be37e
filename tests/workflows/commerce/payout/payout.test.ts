import {
  approvePayout,
  cancelPayout,
  completePayout,
  payoutProcess,
  processPayout,
  rejectPayout,
  requestPayout,
  transferReported,
} from '../../../../workflows/commerce/payout/payout.contract';
import { v7 } from 'uuid';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { commissionsOf, payee } from '../../../support/builders/paying-out/payees';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import type { SkippingWorld } from '../../../support/worlds/skipping-world';
import { detailsOf, parks } from '../refund/refund-processes';
import { remindsOnceAcrossRuns } from '../../over-a-month';
import { patient } from '../sales';
import {
  becomes,
  decides as decidesIn,
  processed,
  requested,
  startPayoutWorld,
  type Bank,
  type OpenPayout,
} from './payout-processes';

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
  bank.current = 'sandbox';
});

const operator = ({ process }: OpenPayout, decision: typeof retryStep): Promise<null> =>
  process.executeUpdate(decision, { args: [{ noteId: null }] });
const waitsFor = ({ process }: OpenPayout, words: string): Promise<void> =>
  eventually(async () => expect(await detailsOf(process)).toContain(words));
const completes = (one: OpenPayout, outcome: 'DONE' | 'REFUSED', text: string | null = v7()) =>
  decidesIn(world, one, completePayout, { outcome, text });

test('approved, processed and arrived: the administrator is answered COMPLETED, and the commission is paid', async () => {
  const one = await requested(world);
  await waitsFor(one, 'Waits for an administrator to approve or reject it.');
  expect(await decidesIn(world, one, approvePayout, {})).toMatchObject({ status: 'APPROVED' });
  await waitsFor(one, 'waits for an administrator to process it');
  expect(await decidesIn(world, one, processPayout, {})).toMatchObject({ status: 'COMPLETED' });
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(world, one, 'COMPLETED');
  expect(bank.provider.sent.map(({ key }) => key)).toEqual([`${one.input.payoutId}:1`]);
  // 40.00 of a commission of 100.00 are a part of it.
  expect(await commissionsOf(world.db, one.one.partnerId)).toEqual(['APPROVED 10000']);
  await keepHistory(one.process, 'completed');
});

test('rejected', async () => {
  const one = await requested(world);
  expect(await decidesIn(world, one, rejectPayout, { returnsFunds: true, text: 'No.' })).toMatchObject({
    status: 'REJECTED',
  });
  expect(await one.process.result()).toBe('REJECTED');
  await becomes(world, one, 'REJECTED');
  await keepHistory(one.process, 'rejected');
});

test('cancelled by its owner', async () => {
  const one = await requested(world);
  await decidesIn(world, one, cancelPayout, { byOwner: true, by: one.one.userId });
  expect(await one.process.result()).toBe('CANCELLED');
  await becomes(world, one, 'CANCELLED');
  await keepHistory(one.process, 'cancelled');
});

test('one that nobody decides on parks after days, every day again, and ends with the decision', async () => {
  const one = await requested(world);
  await world.sleep('73 hours');
  await parks(one.process);
  expect(await detailsOf(one.process)).toContain('approve or reject it. It takes too long');
  await operator(one, retryStep);
  await world.sleep('25 hours');
  await parks(one.process);
  await decidesIn(world, one, rejectPayout, { returnsFunds: true, text: 'Too late.' });
  expect(await one.process.result()).toBe('REJECTED');
  await keepHistory(one.process, 'reminded-then-rejected');
});

test('a new run of its process reminds when the run before would have', async () => {
  const one = await requested(world);
  await remindsOnceAcrossRuns(world, one.process, {
    words: 'approve or reject it.',
    history: 'undecided-between-reminders',
  });
  await decidesIn(world, one, rejectPayout, { returnsFunds: true, text: 'Too late.' });
  expect(await patient(world).workflow.getHandle(one.process.workflowId).result()).toBe('REJECTED');
});

test('arrived while its process waits for an operator: the report of a person completes it by that, and both end', async () => {
  bank.provider.mood = 'is silent';
  const one = await processed(world);
  await world.sleep('73 hours');
  await parks(one.process);
  bank.provider.arrives(bank.provider.sent[0]!);
  await expect(completes(one, 'DONE', null)).rejects.toMatchObject({ type: 'ALREADY_SETTLED' });
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(world, one, 'COMPLETED');
  await keepHistory(one.process, 'completed-while-parked');
});

test('a request that is refused leaves nothing', async () => {
  const { userId } = await payee(world.db, { availableMinor: 0 });
  const input = { payoutId: v7(), userId };
  const asks = world.processes.open(
    payoutProcess,
    input,
    requestPayout,
    { kind: 'PARTNER', amountMinor: 40_00, currency: 'USD' },
    { updateId: v7() },
  );
  await expect(asks).rejects.toMatchObject({ type: 'INSUFFICIENT_BALANCE' });
  const process = patient(world).workflow.getHandle(payoutProcess.id(input));
  expect(await process.result()).toBe('REFUSED');
  await keepHistory(process, 'refused');
});

test('a transfer that is certainly refused is answered PAYMENT_FAILED, and may be processed again', async () => {
  bank.provider.mood = 'refuses';
  const one = await requested(world);
  await decidesIn(world, one, approvePayout, {});
  await expect(decidesIn(world, one, processPayout, {})).rejects.toMatchObject({ type: 'PAYMENT_FAILED' });
  await becomes(world, one, 'APPROVED');
  await waitsFor(one, 'waits for an administrator to process it');
  bank.provider.mood = 'sends';
  expect(await decidesIn(world, one, processPayout, {})).toMatchObject({ status: 'COMPLETED' });
  expect(bank.provider.sent.map(({ key }) => key)).toEqual([`${one.input.payoutId}:2`]);
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(one.process, 'refused-then-completed');
});

test('an answer that was lost: PROCESSING, and looked up until it is certain', async () => {
  bank.provider.mood = 'loses the answer';
  const one = await processed(world);
  expect(one.state).toMatchObject({ status: 'PROCESSING', transfer: { provider: 'sandbox' } });
  bank.provider.mood = 'sends';
  await world.sleep('10 minutes');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.provider.sent).toHaveLength(1);
  await becomes(world, one, 'COMPLETED');
  await keepHistory(one.process, 'looked-up');
});

test('a refusal that comes later makes it APPROVED, and operators see it', async () => {
  bank.provider.mood = 'is silent';
  const one = await processed(world);
  expect(one.state.status).toBe('PROCESSING');
  const [sent] = bank.provider.sent;
  bank.provider.refuses(sent!);
  await world.sleep('61 minutes');
  await parks(one.process);
  expect(await detailsOf(one.process)).toContain('The transfer was refused: the account is closed');
  await becomes(world, one, 'APPROVED');
  bank.provider.mood = 'sends';
  expect(await decidesIn(world, one, processPayout, {})).toMatchObject({ status: 'COMPLETED' });
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(one.process, 'refused-later');
});

test('silent for days, it parks; abandoned, it stays with its provider until that says that it was refused', async () => {
  bank.provider.mood = 'is silent';
  const one = await processed(world);
  await world.sleep('73 hours');
  await parks(one.process);
  await expect(completes(one, 'DONE')).rejects.toMatchObject({ type: 'CANNOT_SETTLE' });
  await operator(one, abandonStep);
  await waitsFor(one, 'sandbox may still send this payout');
  await expect(completes(one, 'REFUSED')).rejects.toMatchObject({ type: 'CANNOT_SETTLE' });
  bank.provider.refuses(bank.provider.sent[0]!);
  expect(await completes(one, 'REFUSED')).toMatchObject({ status: 'APPROVED' });
  await waitsFor(one, 'waits for an administrator to process it');
  bank.current = 'bank';
  await decidesIn(world, one, processPayout, {});
  expect(await completes(one, 'DONE')).toMatchObject({ status: 'COMPLETED' });
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.provider.sent).toHaveLength(1);
  await keepHistory(one.process, 'silent-then-by-hand');
});

test('abandoned after its provider has certainly not got it: a person sends it', async () => {
  bank.provider.mood = 'is not reached';
  const one = await processed(world);
  await world.sleep('10 minutes');
  await parks(one.process);
  bank.provider.mood = 'sends';
  await operator(one, abandonStep);
  await waitsFor(one, 'Waits for a person to send the money');
  await completes(one, 'DONE');
  expect(bank.provider.sent).toEqual([]);
  expect(await one.process.result()).toBe('COMPLETED');
});

test('abandoned a second time, it is left to a person once its provider has certainly not got it, and is not sent again', async () => {
  bank.provider.certainAfterMs = 100 * 3_600_000;
  bank.provider.mood = 'is not reached';
  const one = await processed(world);
  await world.sleep('10 minutes');
  await parks(one.process);
  bank.provider.mood = 'sends';
  await operator(one, abandonStep);
  await waitsFor(one, 'sandbox was asked for this payout only just now');
  bank.provider.certainAfterMs = 0;
  await operator(one, abandonStep);
  await waitsFor(one, 'Waits for a person to send the money');
  expect(bank.provider.sent).toEqual([]);
  await completes(one, 'DONE');
  expect(await one.process.result()).toBe('COMPLETED');
});

test.each(['waits for its provider', 'is parked'])(
  'told of the end of its transfer while it %s, it looks at once',
  async (standing) => {
    bank.provider.mood = 'is silent';
    const one = await processed(world);
    if (standing === 'is parked') {
      await world.sleep('73 hours');
      await parks(one.process);
    }
    bank.provider.arrives(bank.provider.sent[0]!);
    await one.process.signal(transferReported);
    await becomes(world, one, 'COMPLETED');
    expect(await one.process.result()).toBe('COMPLETED');
    await keepHistory(one.process, standing === 'is parked' ? 'told-while-parked' : 'told');
  },
);

test('one that was abandoned and had arrived is completed by that, and the person is told', async () => {
  bank.provider.mood = 'is silent';
  const one = await processed(world);
  await world.sleep('73 hours');
  await parks(one.process);
  await operator(one, abandonStep);
  await waitsFor(one, 'sandbox may still send this payout');
  bank.provider.arrives(bank.provider.sent[0]!);
  await expect(completes(one, 'DONE')).rejects.toThrow('The money had already arrived through sandbox');
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(world, one, 'COMPLETED');
  await keepHistory(one.process, 'arrived-after-all');
});

test('the same when the answer of the report was lost: the person is told, and the process ends', async () => {
  bank.provider.mood = 'is silent';
  const one = await processed(world);
  await world.sleep('73 hours');
  await parks(one.process);
  await operator(one, abandonStep);
  await waitsFor(one, 'sandbox may still send this payout');
  bank.provider.arrives(bank.provider.sent[0]!);
  bank.losesAnswer = true;
  await expect(completes(one, 'DONE')).rejects.toThrow('The money had already arrived through sandbox');
  expect(await one.process.result()).toBe('COMPLETED');
});

describe('from our bank account', () => {
  beforeEach(() => (bank.current = 'bank'));

  test('a person sends it and is reminded; what the bank refuses is APPROVED again without parking', async () => {
    const one = await processed(world);
    expect(one.state).toMatchObject({ status: 'PROCESSING', transfer: { provider: 'bank' } });
    await world.sleep('73 hours');
    await parks(one.process);
    await operator(one, retryStep);
    expect(await completes(one, 'REFUSED')).toMatchObject({ status: 'APPROVED' });
    await waitsFor(one, 'waits for an administrator to process it');
    // A person was reminded of it this day.
    expect(await detailsOf(one.process)).not.toContain('too long');
    expect(await decidesIn(world, one, processPayout, {})).toMatchObject({ status: 'PROCESSING' });
    await completes(one, 'DONE');
    expect(await one.process.result()).toBe('COMPLETED');
    expect(bank.provider.requests).toEqual([]);
    await keepHistory(one.process, 'by-hand');
  });

  test('a new run of its process reminds of the transfer when the run before would have', async () => {
    const one = await processed(world);
    await remindsOnceAcrossRuns(world, one.process, {
      words: 'send the money from our bank account',
      history: 'by-hand-between-reminders',
    });
    await completes(one, 'DONE');
    expect(await patient(world).workflow.getHandle(one.process.workflowId).result()).toBe('COMPLETED');
  });

  test('a process that was lost is opened again by the next decision, also by one that is refused', async () => {
    const one = await requested(world);
    await one.process.terminate('lost');
    await expect(decidesIn(world, one, processPayout, {})).rejects.toMatchObject({ type: 'NOT_APPROVED' });
    await decidesIn(world, one, approvePayout, {});
    await decidesIn(world, one, processPayout, {});
    await completes(one, 'DONE');
    expect(await patient(world).workflow.getHandle(one.process.workflowId).result()).toBe('COMPLETED');
  });
});
