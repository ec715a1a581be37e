import type { WorkflowHandle } from '@temporalio/client';
import { paymentRefundProcess } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { keepHistory } from '../../../support/checks/histories';
import { orderStep, orderSteps, orderToRefund, type OrderCommand } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../sales';

let world: SkippingWorld;
let bank: FakeBank;

beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: () => ({
      refundProvider: () => Promise.resolve('sandbox'),
      sendRefund: (refund) => orderSteps(world.db, bank).sendRefund(refund),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  bank = new FakeBank();
});

interface Refund {
  order: OrderCommand;
  refundId: string;
  process: WorkflowHandle;
}

/** The money of a cancelled order begins its way back. */
async function refund(): Promise<Refund> {
  const order = await orderToRefund(world.db, { at: (await world.now()).toISOString(), provider: bank });
  await world.processes.start(paymentRefundProcess, order);
  const process = patient(world).workflow.getHandle(paymentRefundProcess.id(order));
  return { order, refundId: order.refundId, process };
}

const becomes = ({ order }: Refund, status: string, refundStatus: string): Promise<void> =>
  eventually(async () =>
    expect(await orderStep(world.db, order)).toMatchObject({
      order: `CANCELLED ${status}`,
      refunds: [`CANCELLATION ${refundStatus}`],
    }),
  );

const detailsOf = async ({ process }: Refund): Promise<string> =>
  (await process.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;

const parks = (one: Refund): Promise<void> =>
  eventually(async () => expect(await detailsOf(one)).toContain('**Needs attention.**'));

test('money goes back, and its order is paid no longer', async () => {
  const one = await refund();
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(one, 'REFUNDED', 'COMPLETED');
  expect(bank.requests).toEqual(['refund']);
  await keepHistory(one.process, 'completed');
});

test('money that was sent without an answer is found by look-up, and never sent twice', async () => {
  bank.mood = 'loses the answer';
  const one = await refund();
  await eventually(() => expect(bank.requests).toEqual(['refund']));
  await world.sleep('2 seconds');
  await eventually(() => expect(bank.requests).toEqual(['refund', 'look up']));
  bank.mood = 'answers';
  await world.sleep('5 seconds');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.requests).toEqual(['refund', 'look up', 'look up']);
  expect(bank.sent).toEqual([one.refundId]);
});

test('nor is it when the provider could not be asked until a person retried', async () => {
  bank.mood = 'loses the answer';
  const one = await refund();
  await world.sleep('20 minutes');
  await parks(one);
  expect(await detailsOf(one)).toContain('Last error: The bank is not reached.');
  expect(bank.requests).toHaveLength(10);
  bank.mood = 'answers';
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.sent).toEqual([one.refundId]);
  await keepHistory(one.process, 'silent-then-found');
});

test('a bank that could not be reached sends it once it can', async () => {
  bank.mood = 'is not reached';
  const one = await refund();
  await world.sleep('3 seconds');
  bank.mood = 'answers';
  await world.sleep('1 minute');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.sent).toEqual([one.refundId]);
});

test('a refusal of the bank parks: the money waits, and goes when it is retried', async () => {
  bank.mood = 'refuses';
  const one = await refund();
  await parks(one);
  expect(await detailsOf(one)).toContain('The provider refuses the refund: the account is closed');
  await becomes(one, 'PAID', 'PROCESSING');
  bank.mood = 'answers';
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(one, 'REFUNDED', 'COMPLETED');
  await keepHistory(one.process, 'refused-then-retried');
});

test('given up by an operator, the money stays owed', async () => {
  bank.mood = 'refuses';
  const one = await refund();
  await parks(one);
  await one.process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('ABANDONED');
  await becomes(one, 'PAID', 'ABANDONED');
  expect(bank.sent).toEqual([]);
  await keepHistory(one.process, 'abandoned');
});

test('a refund that was started before stays as it is', async () => {
  const one = await refund();
  const again = { refundId: one.refundId, orderId: one.order.orderId };
  expect(await world.processes.start(paymentRefundProcess, again)).toBe('already started');
  expect(await one.process.result()).toBe('COMPLETED');
  await world.processes.start(paymentRefundProcess, again);
  expect(await patient(world).workflow.getHandle(one.process.workflowId).result()).toBe('COMPLETED');
  expect(bank.sent).toEqual([one.refundId]);
});
