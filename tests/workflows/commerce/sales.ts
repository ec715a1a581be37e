import { Client, type WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import type { PaymentOutcome } from '../../../workflows/commerce/payment/payment-report.rules';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import {
  checkoutProcess,
  payOrder,
  placeOrder,
  type OfferedPayment,
  type PlacedOrder,
} from '../../../workflows/commerce/checkout/checkout.contract';
import {
  fulfilmentProcess,
  type FulfilmentInput,
} from '../../../workflows/commerce/fulfilment/fulfilment.contract';
import { cancelOrder, type CancelledOrder } from '../../../workflows/commerce/order/order.contract';
import { paymentEventProcess } from '../../../workflows/commerce/payment-event/payment-event.contract';
import { noteOf, orderState, storedReport } from '../../support/builders/ordering';
import type { SkippingWorld } from '../../support/worlds/skipping-world';
import { given } from '../../support/builders/given';
import type { OrderOptions, OrderToPlace } from '../../support/builders/given/steps';

/**
 * Waits without letting time pass. The skipping world's own client unlocks the clock while it awaits a result, and
 * the clock then also runs ahead to timers that nobody waits for any more; in these tests only `sleep` moves it.
 * The test server stops its clock for good when a process ends whose parent ended first, as refunds do: a test with
 * such an end is the last of its file to sleep.
 */
export const patient = ({ temporal }: Shop): Client =>
  new Client({ connection: temporal.connection, namespace: temporal.options.namespace });

/** The parts of a world that placing an order requires; the clock may be real. */
type Shop = Pick<SkippingWorld, 'db' | 'temporal' | 'processes'>;

/** An order with the handles of its processes, which got no message yet. */
export interface Sale extends OrderToPlace {
  checkout: WorkflowHandle;
  fulfilment: WorkflowHandle;
}

/** A buyer who is about to order. */
export async function sale(world: Shop, options?: OrderOptions): Promise<Sale> {
  const order = await given(world.db).cart(options);
  const { workflow } = patient(world);
  return {
    ...order,
    checkout: workflow.getHandle(checkoutProcess.id(order)),
    fulfilment: workflow.getHandle(fulfilmentProcess.id(order)),
  };
}

export const place = (world: Shop, { orderId, userId, input }: Sale): Promise<PlacedOrder> =>
  world.processes.open(checkoutProcess, { orderId, userId }, placeOrder, input, {
    updateId: v7(),
  });

/** A sale whose order is placed. */
export async function placed(world: Shop, options?: OrderOptions): Promise<Sale & { placed: PlacedOrder }> {
  const sold = await sale(world, options);
  return { ...sold, placed: await place(world, sold) };
}

/** Opens another attempt. */
export const payAgain = (
  world: Shop,
  { checkout }: Sale,
  paymentMethod: PaymentMethod,
): Promise<OfferedPayment> =>
  world.processes.ask(checkout.workflowId, payOrder, { attemptId: v7(), paymentMethod }, { updateId: v7() });

/** The buyer changes their mind; which process is asked is the teller's choice. */
export const cancel = async (
  world: Shop,
  sold: Sale,
  by: 'checkout' | 'fulfilment' = 'checkout',
): Promise<CancelledOrder> =>
  world.processes.ask(
    sold[by].workflowId,
    cancelOrder,
    { noteId: await noteOf(world.db, sold.userId, 'Found it cheaper.') },
    { updateId: v7() },
  );

/** A provider's report comes in; answers its process. */
export async function report(
  world: Shop,
  outcome: PaymentOutcome,
  reported: Parameters<typeof storedReport>[2],
): Promise<WorkflowHandle> {
  const event = await storedReport(world.db, outcome, reported);
  await world.processes.start(paymentEventProcess, event);
  return patient(world).workflow.getHandle(paymentEventProcess.id(event));
}

export const stateOf = ({ db }: Pick<Shop, 'db'>, sold: Sale): ReturnType<typeof orderState> =>
  orderState(db, sold);

/** The input that the process of a handle was started with. */
async function inputOf<Input>(handle: WorkflowHandle): Promise<Input> {
  const { events } = await handle.fetchHistory();
  const [payload] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  return JSON.parse(Buffer.from(payload?.data ?? []).toString()) as Input;
}

/** The name of an order that its fulfilment was given for the summary. */
export const labelOfFulfilment = async ({ fulfilment }: Sale): Promise<string | undefined> =>
  (await inputOf<FulfilmentInput>(fulfilment)).label;
