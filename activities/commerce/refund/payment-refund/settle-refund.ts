import { recordAudit } from '../../../../db/administration/audit/audit.writes';
import { readNote } from '../../../../db/administration/idempotency/request-note.writes';
import { bookRefundSent } from '../../../../db/commerce/order/order-ledger.transitions';
import {
  concludePayment,
  lockRefund,
  markSettled,
  refundSettledBy,
  type PaymentRefund,
  type Settlement,
} from '../../../../db/commerce/refund/refund.transitions';
import { violates } from '../../../../db/sql/errors';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { RefundSettlement } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { amountInWords, toMajor } from '../../../../workflows/commerce/money.rules';
import { businessRefusal, refusal } from '../../../../workflows/errors';
import { BANK } from '../../../providers/payments/bank/bank';
import { concludeSentRefund } from '../conclude-request';
import { queueMoneySentMail } from '../queue-refund-mail';

type SettleRefund = RefundSettlement & { refundId: string; at: string };

/**
 * Records that a person has sent a refund from our bank account, by the reference in the kept note. Refused:
 * ALREADY_SETTLED, CANNOT_SETTLE, VALIDATION_ERROR (the reference paid another refund, or the refund is of another amount).
 * The same again changes nothing.
 */
export async function settleRefund(db: Db, command: SettleRefund): Promise<void> {
  try {
    await inTransaction(db, (tx) => settleRefundIn(tx, command));
  } catch (error) {
    if (violates(error, 'payment_refunds_settlement_reference_key')) throw referenceIsTaken();
    throw error;
  }
}

async function settleRefundIn(tx: Tx, { refundId, noteId, amount, at }: SettleRefund): Promise<void> {
  const refund = await lockRefund(tx, refundId);
  if (refund.settlementId === noteId) return;
  requireUnsent(refund);
  requireAmount(refund, amount);
  const { actorId, clientAddress, text } = await readNote(tx, noteId);
  const reference = text ?? '';
  if ((await refundSettledBy(tx, reference)) !== null) throw referenceIsTaken();
  await bookSettledRefund(tx, refund, { reference, settlementId: noteId, settledBy: actorId, at });
  const { refundRequestId, amountMinor, currency } = refund;
  if (refundRequestId === null) await queueMoneySentMail(tx, refund);
  else await concludeSentRefund(tx, refund, at);
  await recordAudit(tx, {
    actorId,
    action: 'payment-refund.settle',
    entityType: 'payment-refund',
    entityId: refundId,
    previous: { status: refund.status, amountMinor, currency },
    next: { status: 'COMPLETED', reference },
    clientAddress,
    at: new Date(at),
  });
}

/** Books a locked refund that a person has sent from our bank account, whichever provider brought the money. */
export async function bookSettledRefund(
  tx: Tx,
  refund: PaymentRefund,
  settlement: Settlement,
): Promise<void> {
  if (!(await markSettled(tx, refund, settlement)))
    throw new Error(`Refund ${refund.id} is no longer ${refund.status}.`);
  await bookRefundSent(tx, refund, 'bank', settlement.at);
  await concludePayment(tx, refund.orderId, settlement.at);
}

function requireUnsent({ status, provider, overdrawnMinor, currency }: PaymentRefund): void {
  if (status === 'COMPLETED') throw refusal('ALREADY_SETTLED', 'This refund is already settled.');
  if (status === 'CHARGED_BACK') throw refusal('ALREADY_SETTLED', 'This refund is already settled.');
  if (status === 'PROCESSING' && provider !== BANK)
    throw refusal(
      'CANNOT_SETTLE',
      `${provider} is still trying to send this refund. Abandon the operation first.`,
    );
  if (overdrawnMinor > 0)
    throw refusal(
      'CANNOT_SETTLE',
      `The buyer's bank has already taken ${amountInWords(overdrawnMinor, currency)} of this money back.`,
    );
}

/** Refuses another amount: a lost chargeback may have reduced the refund since the person read it and sent the money. */
function requireAmount({ amountMinor, currency }: PaymentRefund, amount: number | undefined): void {
  if (amount === undefined || amount === toMajor(amountMinor, currency)) return;
  const owed = amountInWords(amountMinor, currency);
  throw businessRefusal('REFUND_AMOUNT_DIFFERS', `The amount of this refund is now ${owed}.`, {
    amount: [`must be ${owed}`],
  });
}

const referenceIsTaken = (): Error =>
  businessRefusal('TRANSFER_ALREADY_USED', 'This transfer is already recorded for another refund.', {
    reference: ['is already recorded for another refund'],
  });
