import { ApplicationFailure } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { fulfilmentProcess } from '../../../../workflows/commerce/fulfilment/fulfilment.contract';
import { retryStep, abandonStep } from '../../../../workflows/kit/parking.contract';
import {
  refundSettled,
  refundOrder,
  refundRequestProcess,
  type RefundState,
} from '../../../../workflows/commerce/refund/refund-request.contract';
import { orderStatus } from '../../../../workflows/commerce/order/order.contract';
import {
  paymentRefundProcess,
  settleRefund,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import { rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { keepHistory } from '../../../support/checks/histories';
import { noteOf, orderSteps, PRICE_MINOR } from '../../../support/builders/ordering';
import { refundState, reject } from '../../../support/builders/refunding';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import {
  type Refund,
  newRequest,
  approves,
  ask,
  asked,
  buyer,
  detailsOf,
  parks,
  rejects,
  senderOf,
} from './refund-processes';
import { patient } from '../sales';
import { given } from '../../../support/builders/given';

let world: SkippingWorld;
let bank: FakeBank;
let trouble: Error | undefined;
/** The moment at which the database fails during a command: before it is kept, or after. */
let lost: 'before' | 'after' | undefined;
const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
/** The requests whose state was read, one entry per reading. */
let readings: string[];
/** Delays the answer of a reading, after it has read. */
let held: Promise<void> | undefined;

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      refundProvider: () => Promise.resolve('sandbox'),
      sendRefund: (refund) => orderSteps(world.db, bank).sendRefund(refund),
      settleRefund: (settlement) => orderSteps(world.db, bank).settleRefund(settlement),
      abandonRefund: (refund) => orderSteps(world.db, bank).abandonRefund(refund),
      requestRefund: async (command) => {
        const answer = lost === 'before' ? null : await real.requestRefund(command);
        if (lost !== undefined || answer === null) throw broken();
        return answer;
      },
      refundRequestState: async (request) => {
        if (trouble) throw trouble;
        const state = await real.refundRequestState(request);
        readings.push(request.refundRequestId);
        await held;
        return state;
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
  readings = [];
  held = undefined;
});

test('approved, the money goes back through its provider, and the order is over with it', async () => {
  const one = await asked(world, bank);
  const { orderId, userId } = one.order;
  await world.processes.start(fulfilmentProcess, { orderId, userId });
  expect(await detailsOf(one.process)).toBe('Waits for an administrator to approve or to reject it.');
  expect((await approves(world, one)).status).toBe('PROCESSING');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(await refundState(world.db, one)).toMatchObject({
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

test('undecided after a week, it asks operators, again after another one, until it is decided', async () => {
  const one = await asked(world, bank);
  await world.sleep('6 days');
  expect(await detailsOf(one.process)).not.toContain('Needs attention');
  await world.sleep('2 days');
  await parks(one.process);
  expect(await detailsOf(one.process)).toContain('Nobody has decided it in time.');
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  await world.sleep('8 days');
  await parks(one.process);
  expect((await rejects(world, one)).status).toBe('REJECTED');
  expect(await one.process.result()).toBe('REJECTED');
  const listed = await rows(world.db, 'SELECT 1 FROM parked_processes WHERE workflow_id = $1', [
    one.process.workflowId,
  ]);
  expect(listed).toEqual([]);
  await keepHistory(one.process, 'undecided');
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
  expect((await refundState(world.db, one)).request).toBe(result);
  expect(bank.sent.length).toBe(result === 'COMPLETED' ? 1 : 0);
});

test('a refusal of the amount is no decision', async () => {
  const one = await asked(world, bank);
  await expect(approves(world, one, 1_000_000)).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
  expect((await approves(world, one, 100)).status).toBe('PROCESSING');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(await refundState(world.db, one)).toMatchObject({ order: 'DELIVERED PAID', sent: 'COMPLETED 100' });
});

/** An approved request that cannot be read. */
async function unreadable(): Promise<Refund> {
  const one = await asked(world, bank);
  trouble = broken();
  expect((await approves(world, one)).status).toBe('PROCESSING');
  await parks(one.process);
  expect(bank.sent).toEqual([]);
  trouble = undefined;
  return one;
}

test('whose row cannot be read waits for a person, and then goes on', async () => {
  const one = await unreadable();
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(one.process, 'parked-then-retried');
});

test('and abandoned by that person, it ends, and the request stays as it is', async () => {
  const one = await unreadable();
  await one.process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('ABANDONED');
  expect((await refundState(world.db, one)).request).toBe('PROCESSING');
  await keepHistory(one.process, 'parked-then-abandoned');
});

const readingsOf = ({ refundRequestId }: Refund): number =>
  readings.filter((id) => id === refundRequestId).length;

test('a message that comes while the state is being read has it read again', async () => {
  const one = await asked(world, new FakeBank());
  let release: () => void = () => undefined;
  await eventually(() => expect(readingsOf(one)).toBe(1));
  held = new Promise((resolve) => (release = resolve));
  await one.process.signal(refundSettled);
  await eventually(() => expect(readingsOf(one)).toBe(2));

  // Decided after the second reading, by other means than the process.
  await reject(world.db, one);
  await one.process.signal(refundSettled);
  // The message reaches the process with the next heartbeat of its task, while the reading still goes on.
  await eventually(async () => {
    const { events = [] } = await one.process.fetchHistory();
    const all = events ?? [];
    expect(all.filter((event) => event.workflowExecutionSignaledEventAttributes)).toHaveLength(2);
    const last = all.findLastIndex((event) => event.workflowExecutionSignaledEventAttributes);
    expect(all.slice(last).some((event) => event.workflowTaskStartedEventAttributes)).toBe(true);
  });
  held = undefined;
  release();
  expect(await one.process.result()).toBe('REJECTED');
});

describe('the money of an approved request', () => {
  test('a provider whose answer was lost is looked up, and does not send it twice', async () => {
    bank.mood = 'loses the answer';
    const one = await asked(world, bank);
    await approves(world, one);
    await eventually(() => expect(bank.requests).toEqual(['refund']));
    await world.sleep('2 seconds');
    bank.mood = 'answers';
    await world.sleep('5 seconds');
    expect(await one.process.result()).toBe('COMPLETED');
    expect(bank.sent).toHaveLength(1);
  });

  test('a provider that refuses: it waits for a person, is tried again, and arrives', async () => {
    bank.mood = 'refuses';
    const one = await asked(world, bank);
    const sender = senderOf(world, await approves(world, one));
    await parks(sender);
    expect(await detailsOf(one.process)).toBe('Approved; the money is on its way back through its provider.');
    bank.mood = 'answers';
    await sender.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await one.process.result()).toBe('COMPLETED');
    await keepHistory(sender, 'asked-for-then-retried');
  });

  test('given up by an operator, the request has failed, and the money stays owed', async () => {
    bank.mood = 'refuses';
    const one = await asked(world, bank);
    const sender = senderOf(world, await approves(world, one));
    await parks(sender);
    await sender.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await one.process.result()).toBe('FAILED');
    expect(await refundState(world.db, one)).toMatchObject({
      request: 'FAILED',
      order: 'DELIVERED PAID',
      left: 0,
    });
    await keepHistory(one.process, 'failed');
    await keepHistory(sender, 'asked-for-then-abandoned');
  });
});

describe('an order that an administrator refunds in full', () => {
  const noteBy = async (text: string): Promise<string> =>
    noteOf(world.db, (await make.admin(world.db)).id, text);

  interface Refunded {
    fulfilment: WorkflowHandle;
    request: WorkflowHandle;
    standing: RefundState;
  }

  /** An order that is being prepared, and all of whose money an administrator gives back. */
  async function refundedWhilePrepared(): Promise<Refunded> {
    const { orderId, userId } = await given(world.db)
      .order({ at: (await world.now()).toISOString(), provider: bank })
      .paid();
    const { workflow } = patient(world);
    const fulfilment = workflow.getHandle(fulfilmentProcess.id({ orderId }));
    await world.processes.start(fulfilmentProcess, { orderId, userId });
    await eventually(async () => expect(await fulfilment.query(orderStatus)).toBe('PROCESSING'));
    const input = { refundRequestId: v7(), orderId, userId };
    const command = { items: null, amountMinor: PRICE_MINOR, includeShipping: false };
    const standing = await world.processes.open(
      refundRequestProcess,
      input,
      refundOrder,
      { ...command, noteId: await noteBy('We cannot deliver it.') },
      { updateId: v7() },
    );
    return { fulfilment, request: workflow.getHandle(refundRequestProcess.id(input)), standing };
  }

  test('an order that is refunded in full while it is prepared requires no more fulfilment', async () => {
    const { fulfilment, request } = await refundedWhilePrepared();
    expect(await request.result()).toBe('COMPLETED');
    expect(await fulfilment.result()).toBe('REFUNDED');
    await keepHistory(request, 'refunded-by-an-administrator');
  });

  test('nor does one whose refund was given up, once a person has settled it', async () => {
    bank.mood = 'refuses';
    const { fulfilment, request, standing } = await refundedWhilePrepared();
    const sender = senderOf(world, standing);
    await parks(sender);
    await sender.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await request.result()).toBe('FAILED');
    expect(await fulfilment.query(orderStatus)).toBe('PROCESSING');
    const how = { updateId: v7() };
    const noteId = await noteBy('OUT-1');
    await world.processes.open(paymentRefundProcess, standing.refundsDue[0]!, settleRefund, { noteId }, how);
    expect(await fulfilment.result()).toBe('REFUNDED');
    expect(await sender.result()).toBe('COMPLETED');
    await keepHistory(sender, 'settled-after-it-was-abandoned');
  });
});
