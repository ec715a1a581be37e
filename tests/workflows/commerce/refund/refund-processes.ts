import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import type { PaymentProvider } from '../../../../activities/providers/payments/port';
import { paymentRefundProcess } from '../../../../workflows/commerce/refund/payment-refund.contract';
import {
  approveRefund,
  refundRequestProcess,
  rejectRefund,
  requestRefund,
  type RequestedRefund,
  type RefundState,
} from '../../../../workflows/commerce/refund/refund-request.contract';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import { deliveredOrder } from '../../../support/builders/refunding';
import type { SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../sales';
import type { MadeOrder, OrderOptions } from '../../../support/builders/given/steps';

/** A refund request with its order and its process. */
export interface Refund {
  order: MadeOrder;
  refundRequestId: string;
  orderId: string;
  userId: string;
  process: WorkflowHandle;
}

/** A buyer whose order has arrived, without a refund request. */
export async function buyer(
  world: SkippingWorld,
  provider: PaymentProvider,
  options: OrderOptions = {},
): Promise<Refund> {
  const at = (await world.now()).toISOString();
  return newRequest(world, await deliveredOrder(world.db, { provider, ...options, at }));
}

/** Another request of the same order. */
export function newRequest(world: SkippingWorld, order: MadeOrder): Refund {
  const input = { refundRequestId: v7(), orderId: order.orderId, userId: order.userId };
  return { ...input, order, process: patient(world).workflow.getHandle(refundRequestProcess.id(input)) };
}

/** The buyer asks all the money of the order back. */
export const ask = async (
  world: SkippingWorld,
  { refundRequestId, orderId, userId }: Refund,
): Promise<RequestedRefund> =>
  world.processes.open(
    refundRequestProcess,
    { refundRequestId, orderId, userId },
    requestRefund,
    {
      itemIds: null,
      items: null,
      reasonNoteId: await noteOf(world.db, userId, 'It does not fit.'),
      descriptionNoteId: null,
    },
    { updateId: v7() },
  );

/** A buyer with an open refund request. */
export async function asked(...[world, provider, options]: Parameters<typeof buyer>): Promise<Refund> {
  const one = await buyer(world, provider, options);
  await ask(world, one);
  return one;
}

const noteBy = async ({ db }: SkippingWorld): Promise<string> =>
  noteOf(db, (await make.admin(db)).id, 'Because.');

/** An administrator approves; null: all of the request. */
export const approves = async (
  world: SkippingWorld,
  { process }: Refund,
  amountMinor: number | null = null,
): Promise<RefundState> =>
  world.processes.ask(
    process.workflowId,
    approveRefund,
    { noteId: await noteBy(world), amountMinor, restock: true },
    { updateId: v7() },
  );

export const rejects = async (world: SkippingWorld, { process }: Refund): Promise<RefundState> =>
  world.processes.ask(process.workflowId, rejectRefund, { noteId: await noteBy(world) }, { updateId: v7() });

/** The current details of a process, as operators read them. */
export const detailsOf = async (process: WorkflowHandle): Promise<string> =>
  (await process.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;

export const parks = (process: WorkflowHandle): Promise<void> =>
  eventually(async () => expect(await detailsOf(process)).toContain('**Needs attention.**'));

/** The process that sends the money of a request. */
export const senderOf = (world: SkippingWorld, { refundsDue }: RefundState): WorkflowHandle =>
  patient(world).workflow.getHandle(paymentRefundProcess.id(refundsDue[0]!));
