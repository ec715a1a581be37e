import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { openRefundsOf, transferOf } from '../../../db/commerce/payment/capture.reads';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import { takeTransfer } from '../../../db/commerce/payment/transfer.transitions';
import { violates } from '../../../db/sql/errors';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  BankTransferActivities,
  ConfirmedTransfer,
} from '../../../workflows/commerce/payment/bank-transfer.contract';
import { refusal } from '../../../workflows/errors';
import { requireOrder } from '../order/require-order';

/** Transfers that administrators saw on the bank account. */
export const bankTransferActivities = ({ db }: { db: Db }): BankTransferActivities => ({
  async confirmTransfer(transfer) {
    try {
      return await inTransaction(db, async (tx) => {
        const confirmed = await confirmTransferIn(tx, transfer);
        const due = await openRefundsOf(tx, transfer.transactionId);
        const refundsDue = due.map((refundId) => ({ refundId, orderId: transfer.orderId }));
        return { ...confirmed, refundsDue };
      });
    } catch (error) {
      // Another order's transfer, at the same moment, with the same reference written differently.
      if (violates(error, 'payment_captures_bank_reference_key')) throw isRecorded('for another order');
      throw error;
    }
  },
});

type Transfer = Parameters<BankTransferActivities['confirmTransfer']>[0];

/** Records a transfer once, in the caller's transaction. Entered again for its own order, it is only answered. */
async function confirmTransferIn(tx: Tx, transfer: Transfer): Promise<ConfirmedTransfer> {
  const { orderId, transactionId, amountMinor } = transfer;
  const order = await requireOrder(tx, orderId);
  const known = await transferOf(tx, transactionId);
  if (known && (known.orderId !== orderId || known.amountMinor !== amountMinor))
    throw isRecorded(known.orderId === orderId ? 'with another amount' : 'for another order');
  if (known) return confirmed(order, known.applied ? 'APPLIED' : 'RETURNED');
  const dueMinor = order.totalMinor - order.partnerBalanceMinor;
  if (amountMinor !== dueMinor && transfer.onMismatch === 'REFUSE')
    throw refusal('AMOUNT_MISMATCH', 'The transfer is of another amount than the order asks for.', {
      amount: ['differs from what is to be paid'],
    });
  const { actorId: by, clientAddress } = await readNote(tx, transfer.noteId);
  const outcome = await takeTransfer(tx, order, { ...transfer, by });
  if (!outcome) throw isRecorded('for another order');
  const next = confirmed(await requireOrder(tx, orderId), outcome);
  await recordAudit(tx, {
    actorId: by,
    action: 'order.confirm-transfer',
    entityType: 'order',
    entityId: orderId,
    previous: { status: order.status, paymentStatus: order.paymentStatus },
    next: { ...next, amountMinor, transactionId },
    clientAddress,
    at: new Date(transfer.at),
  });
  return next;
}

const confirmed = (
  { status, paymentStatus }: LockedOrder,
  outcome: ConfirmedTransfer['outcome'],
): ConfirmedTransfer => ({ status, paymentStatus, outcome });

const isRecorded = (how: string): Error =>
  refusal('VALIDATION_ERROR', 'This transfer is recorded already.', {
    transactionId: [`is recorded already ${how}`],
  });
