import type { WorkflowHandle } from '@temporalio/client';
import { execute } from '../../../../db/sql/query';
import { checkoutProcess, placeOrder } from '../../../../workflows/commerce/checkout/checkout.contract';
import { paymentReported } from '../../../../workflows/commerce/order/order.contract';
import { QUEUES } from '../../../../workers/queues';
import { NOTHING_HELD, orderState, TWO_RESERVED } from '../../../support/builders/ordering';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { given } from '../../../support/builders/given';

/** The look-up may wait for two minutes, and the clock of a time-skipping server stops while a step waits. */

const world = ownCheckedWorld({ queues: QUEUES.filter((queue) => !queue.startsWith('providers')) });

/** The window ends now, and the process learns of it. */
async function endWindow(orderId: string, checkout: WorkflowHandle): Promise<void> {
  await execute(world.db, 'UPDATE orders SET payment_expires_at = now() WHERE id = $1', [orderId]);
  await checkout.signal(paymentReported);
}

const scheduledIn = async (checkout: WorkflowHandle): Promise<string[]> =>
  ((await checkout.fetchHistory()).events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: attributes }) => attributes?.activityType?.name ?? [],
  );

async function expires(method: 'CARD' | 'BANK_TRANSFER'): Promise<string[]> {
  const order = await given(world.db).cart({ method });
  const input = { orderId: order.orderId, userId: order.userId };
  await world.processes.open(checkoutProcess, input, placeOrder, order.input, {
    updateId: order.attemptId,
  });
  expect(await orderState(world.db, order)).toMatchObject(TWO_RESERVED);
  const checkout = world.temporal.workflow.getHandle(checkoutProcess.id(input));
  await endWindow(order.orderId, checkout);
  expect(await checkout.result()).toBe('CANCELLED');
  expect(await orderState(world.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  return scheduledIn(checkout);
}

describe('while no worker serves the providers', () => {
  test('an order that no provider can know of expires at once, and asks none', async () => {
    expect(await expires('BANK_TRANSFER')).toEqual([]);
  });

  test('an unpaid order by card expires all the same, and its stock is free', async () => {
    expect(await expires('CARD')).toEqual(['lookUpPayments']);
  });
});
