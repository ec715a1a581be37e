import { v7 } from 'uuid';
import { rows, type Db } from '../../../../db/sql/query';
import type {
  BankTransfer,
  ConfirmedTransfer,
} from '../../../../workflows/commerce/payment-event/bank-transfer.contract';
import type { RefundDue } from '../../../../workflows/commerce/order/order.contract';
import { noteOf, orderSteps, PRICE_MINOR } from '../../../support/builders/ordering';
import type { OrderToPlace } from '../../../support/builders/given/steps';

export const at = new Date().toISOString();
export const later = (minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();

/** The answer to a transfer that pays its order. */
export const APPLIED = {
  status: 'PAID',
  paymentStatus: 'PAID',
  outcome: 'APPLIED',
  refundsDue: [],
  label: expect.stringMatching(/^ORD-.* · BANK_TRANSFER$/) as string,
};

/** A refusal that names one field, and the rule that was broken where the contract has no code for it. */
export const refused = (type: string, field: string, ...reason: string[]) => ({
  type,
  details: [{ [field]: [expect.any(String)] }, ...reason],
});

/** Transfers as an administrator enters them: of the order's price, an hour after it was placed, unless said. */
export const transfersOf = (context: () => { db: Db; staffId: string }) => {
  const transferFor = async (
    { orderId }: Pick<OrderToPlace, 'orderId'>,
    transactionId: string,
    options: Partial<Pick<BankTransfer, 'amountMinor' | 'onMismatch'>> = {},
  ) => ({
    orderId,
    captureId: v7(),
    amountMinor: PRICE_MINOR,
    transactionId,
    onMismatch: 'REFUSE' as const,
    noteId: await noteOf(context().db, context().staffId, null),
    at: later(60),
    ...options,
  });
  return {
    transferFor,
    /** Enters a transfer twice, as after a worker's crash before its answer arrived: both answers are the same. */
    confirm: async (
      ...entered: Parameters<typeof transferFor>
    ): Promise<ConfirmedTransfer & { refundsDue: RefundDue[] }> => {
      const transfer = await transferFor(...entered);
      const first = await orderSteps(context().db).confirmTransfer(transfer);
      expect(await orderSteps(context().db).confirmTransfer(transfer)).toEqual(first);
      return first;
    },
    auditsOf: ({ orderId }: OrderToPlace) =>
      rows<{ actor: string; outcome: string; status: string }>(
        context().db,
        `SELECT actor_id AS actor, next ->> 'outcome' AS outcome, next ->> 'status' AS status FROM audit_records
         WHERE entity_id = $1 AND action = 'order.confirm-transfer'`,
        [orderId],
      ),
    /** An order whose window has passed. */
    expired: async (order: OrderToPlace): Promise<OrderToPlace> => {
      await orderSteps(context().db).expireOrder({ orderId: order.orderId, at: later(72 * 60) });
      return order;
    },
  };
};
