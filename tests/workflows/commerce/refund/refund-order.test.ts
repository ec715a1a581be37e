import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { fulfilmentProcess } from '../../../../workflows/commerce/order/fulfilment.contract';
import { orderStatus } from '../../../../workflows/commerce/order/order.contract';
import {
  paymentRefundProcess,
  settleRefund,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import {
  refundOrder,
  refundRequestProcess,
  type RefundState,
} from '../../../../workflows/commerce/refund/refund-request.contract';
import { abandonStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps, paidOrder, PRICE_MINOR } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { parks, senderOf } from './refund-processes';
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

const noteBy = async (text: string): Promise<string> =>
  noteOf(world.db, (await make.admin(world.db)).id, text);

interface Refunded {
  fulfilment: WorkflowHandle;
  request: WorkflowHandle;
  standing: RefundState;
}

/** An order that is being prepared, and all of whose money an administrator gives back. */
async function refundedWhilePrepared(): Promise<Refunded> {
  const { orderId, userId } = await paidOrder(world.db, {
    at: (await world.now()).toISOString(),
    provider: bank,
  });
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
    { updateId: v7(), ifClosed: 'REFUND_ALREADY_REQUESTED' },
  );
  return { fulfilment, request: workflow.getHandle(refundRequestProcess.id(input)), standing };
}

test('an order that is refunded in full while it is prepared requires no more fulfilment', async () => {
  const { fulfilment, request } = await refundedWhilePrepared();
  expect(await request.result()).toBe('COMPLETED');
  expect(await fulfilment.result()).toBe('REFUNDED');
});

test('nor does one whose refund was given up, once a person has settled it', async () => {
  bank.mood = 'refuses';
  const { fulfilment, request, standing } = await refundedWhilePrepared();
  const sender = senderOf(world, standing);
  await parks(sender);
  await sender.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await request.result()).toBe('FAILED');
  expect(await fulfilment.query(orderStatus)).toBe('PROCESSING');
  const how = { updateId: v7(), ifClosed: 'ALREADY_SETTLED' as const };
  const noteId = await noteBy('OUT-1');
  await world.processes.open(paymentRefundProcess, standing.refundsDue[0]!, settleRefund, { noteId }, how);
  expect(await fulfilment.result()).toBe('REFUNDED');
});
