import { ApplicationFailure } from '@temporalio/common';
import { fulfilmentProcess } from '../../../../workflows/commerce/order/fulfilment.contract';
import { retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { keepHistory } from '../../../support/checks/histories';
import { orderSteps } from '../../../support/builders/ordering';
import { refundBook } from '../../../support/builders/refunding';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { newRequest, approves, ask, asked, buyer, detailsOf, parks, rejects } from './refund-processes';

let world: SkippingWorld;
let bank: FakeBank;
let trouble: Error | undefined;
/** The moment at which the database fails during a command: before it is kept, or after. */
let lost: 'before' | 'after' | undefined;
const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');

beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: (real) => ({
      refundProvider: () => Promise.resolve('sandbox'),
      sendRefund: (refund) => orderSteps(world.db, bank).sendRefund(refund),
      requestRefund: async (command) => {
        const answer = lost === 'before' ? null : await real.requestRefund(command);
        if (lost !== undefined || answer === null) throw broken();
        return answer;
      },
      refundStanding: async (request) => {
        if (trouble) throw trouble;
        return real.refundStanding(request);
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  bank = new FakeBank();
  trouble = undefined;
  lost = undefined;
});

test('approved, the money goes back through its provider, and the order is over with it', async () => {
  const one = await asked(world, bank);
  const { orderId, userId } = one.order;
  await world.processes.start(fulfilmentProcess, { orderId, userId });
  expect(await detailsOf(one.process)).toBe('Waits for an administrator to approve or to reject it.');
  expect((await approves(world, one)).status).toBe('PROCESSING');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(await refundBook(world.db, one)).toMatchObject({
    request: 'COMPLETED',
    order: 'REFUNDED REFUNDED',
    sent: `COMPLETED ${one.order.totalMinor}`,
  });
  expect(bank.requests).toEqual(['refund']);
  await keepHistory(one.process, 'completed');
});

test('what a balance paid is back in the answer', async () => {
  const one = await asked(world, bank, { method: 'BALANCE' });
  expect((await approves(world, one)).status).toBe('COMPLETED');
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(one.process, 'back-at-once');
});

test('turned down, it ends', async () => {
  const one = await asked(world, bank);
  expect((await rejects(world, one)).status).toBe('REJECTED');
  expect(await one.process.result()).toBe('REJECTED');
  await expect(approves(world, one)).rejects.toMatchObject({ type: 'NOT_PENDING' });
  await keepHistory(one.process, 'rejected');
});

test('what is refused leaves no process behind', async () => {
  const another = newRequest(world, (await asked(world, bank)).order);
  await expect(ask(world, another)).rejects.toMatchObject({ type: 'REFUND_ALREADY_REQUESTED' });
  expect(await another.process.result()).toBe('REFUSED');
  await keepHistory(another.process, 'refused');
});

describe('a command whose answer was lost', () => {
  test('and that was kept, waits for its decision', async () => {
    const one = await buyer(world, bank);
    lost = 'after';
    await expect(ask(world, one)).rejects.toThrow();
    expect((await approves(world, one)).status).toBe('PROCESSING');
    expect(await one.process.result()).toBe('COMPLETED');
    await keepHistory(one.process, 'kept-unheard');
  });

  test('and that was not, ends', async () => {
    const one = await buyer(world, bank);
    lost = 'before';
    await expect(ask(world, one)).rejects.toThrow();
    expect(await one.process.result()).toBe('REFUSED');
  });
});

test('two approvals and a rejection at once: one of them is the decision', async () => {
  const one = await asked(world, bank);
  const outcomes = await Promise.allSettled([
    approves(world, one),
    rejects(world, one),
    approves(world, one, 100),
  ]);
  const done = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(done).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ type: 'NOT_PENDING' });
  const result = await one.process.result();
  expect((await refundBook(world.db, one)).request).toBe(result);
  expect(bank.sent.length).toBe(result === 'COMPLETED' ? 1 : 0);
});

test('a refusal of the amount is no decision', async () => {
  const one = await asked(world, bank);
  await expect(approves(world, one, 1_000_000)).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
  expect((await approves(world, one, 100)).status).toBe('PROCESSING');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(await refundBook(world.db, one)).toMatchObject({ order: 'DELIVERED PAID', sent: 'COMPLETED 100' });
});

test('whose row cannot be read waits for a person, and then goes on', async () => {
  const one = await asked(world, bank);
  trouble = broken();
  expect((await approves(world, one)).status).toBe('PROCESSING');
  await parks(one.process);
  expect(bank.sent).toEqual([]);
  trouble = undefined;
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(one.process, 'parked-then-retried');
});
