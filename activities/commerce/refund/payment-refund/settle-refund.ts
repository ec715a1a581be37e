import { recordAudit } from '../../../../db/administration/audit/audit.writes';
import { readNote } from '../../../../db/administration/idempotency/request-note.writes';
import { bookRefundSent } from '../../../../db/commerce/order/order-ledger.transitions';
import { resolveUnbooked } from '../../../../db/commerce/reconciliation/late-arrival.writes';
import { takeBankReference } from '../../../../db/commerce/payment/sent-reference.transitions';
import {
  concludePayment,
  lockRefund,
  markSettled,
  type PaymentRefund,
  type SettlementByHand,
} from '../../../../db/commerce/refund/refund.transitions';
import { markFound } from '../../../../db/commerce/refund/sending/refund-attempt.transitions';
import { hasFailed } from '../../../../db/commerce/refund/reported/reported-refund.transitions';
import { refundSentAs } from '../../../../db/commerce/refund/reported/settled-by-name.transitions';
import { violates } from '../../../../db/sql/errors';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { RefundSettlement } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { transferMove } from '../../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { amountInWords, toMajor } from '../../../../workflows/commerce/money.rules';
import { businessRefusal, refusal } from '../../../../workflows/errors';
import { requireNamed, type ArrivedTransfer } from '../../../providers/payouts/attempted-transfer';
import { refusedFor, whyNotSettled } from '../../../providers/payouts/look-up-attempt';
import type { Payments } from '../../payment/payment-offer';
import { concludeSentRefund } from '../conclude-request';
import { queueMoneyMail } from '../queue-refund-mail';
import { bookCompletedRefund } from './complete-refund';
import { lookUpAttempts, openStateOf, requireFound, type LookedUpRefund } from './look-up-attempts';

type SettleRefund = RefundSettlement & { refundId: string; at: string };

/**
 * Records that a person has sent a refund from our bank account, by the reference in the stored note. One that its provider may have
 * sent is looked up there first: where the money has been sent, it is completed by that instead, and a person
 * who gave another reference is refused. Where the provider is gone for good and nobody has given the refund up, the reference is that of
 * its statement. The reference of a refund that was made at the provider, and of which there is or was a
 * difference, completes it by that; where there is none yet, the provider's report or statement makes it that later. Refused: ALREADY_SETTLED, CANNOT_SETTLE, VALIDATION_ERROR (the reference paid something
 * else, or is that of a refund that its provider could not deliver, or the refund is of another amount). The same again changes nothing.
 */
export async function settleRefund(
  deps: { db: Db; payments: Payments },
  command: SettleRefund,
): Promise<void> {
  const lookedUp = await lookUpAttempts(deps, command);
  try {
    const sentBy = await inTransaction(deps.db, (tx) => settleRefundIn(tx, command, lookedUp));
    // After the commit: the money stays booked, and the person learns that they may have sent it as well.
    if (sentBy !== null) throw sentThrough(sentBy);
  } catch (error) {
    if (violates(error, 'payment_refunds_settlement_reference_key')) throw referenceIsTaken();
    throw error;
  }
}

/** Returns the provider that had sent the money instead; null: none had, or the person named what it sent. */
async function settleRefundIn(
  tx: Tx,
  command: SettleRefund,
  lookedUp: LookedUpRefund,
): Promise<string | null> {
  const { refundId, noteId, amount, at } = command;
  const refund = await lockRefund(tx, refundId);
  if (refund.settlementId === noteId) return null;
  const { actorId, clientAddress, text } = await readNote(tx, noteId);
  const reference = text ?? '';
  if (refund.status === 'COMPLETED' && refund.providerRefundId === reference) return null;
  requireOwed(refund);
  const found = requireFound(refund, lookedUp);
  if (transferMove('SETTLE_DONE', openStateOf(refund), found.fate) === null)
    throw refusedFor(whyNotSettled({ ...refund, name: 'refund' }, found));
  const sent = found.fate === 'SENT' ? await delivered(tx, refund, found.arrived) : null;
  if (sent === null && (await hasFailed(tx, { provider: refund.provider, providerRefundId: reference })))
    throw cameBack();
  const made = sent === null && (await resolveUnbooked(tx, madeThere(refund, reference), new Date(at)));
  // Its provider's statement says that it has sent it, and nobody can ask it any more.
  const isForgotten = found.fate === 'FORGOTTEN';
  if (made) await bookCompletedRefund(tx, refundId, reference, at);
  else if (sent === null) {
    requireAmount(refund, amount);
    if (!(await takeBankReference(tx, reference))) throw referenceIsTaken();
    if ((await refundSentAs(tx, refund.provider, reference)) !== null) throw referenceIsTaken();
    if (isForgotten) await bookCompletedRefund(tx, refundId, reference, at);
    else await bookSettledRefund(tx, refund, { reference, settlementId: noteId, settledBy: actorId, at });
  } else {
    requireNamed(sent, { ...refund, name: 'refund' }, reference);
    if (sent.otherAttempt !== undefined) await markFound(tx, refundId, sent.otherAttempt, at);
    await bookCompletedRefund(tx, refundId, sent.transferId, at);
  }
  const { refundRequestId, amountMinor, currency } = refund;
  if (sent === null && !made && !isForgotten && refundRequestId === null)
    await queueMoneyMail(tx, refund, 'sent');
  else await concludeSentRefund(tx, refund, at);
  await recordAudit(tx, {
    actorId,
    action: 'payment-refund.settle',
    entityId: refundId,
    previous: { status: refund.status, amountMinor, currency },
    next: {
      status: 'COMPLETED',
      ...(sent
        ? sentInstead(refund, sent, reference)
        : { reference, ...(isForgotten && { provider: refund.provider }) }),
    },
    clientAddress,
    at: new Date(at),
  });
  return sent === null || sent.transferId === reference ? null : refund.provider;
}

/** A refund that its provider has sent; null: it has reported since that it could not deliver it, and a person has it. */
async function delivered(
  tx: Tx,
  { provider, status }: PaymentRefund,
  arrived: ArrivedTransfer,
): Promise<ArrivedTransfer | null> {
  if (!(await hasFailed(tx, { provider, providerRefundId: arrived.transferId }))) return arrived;
  if (status === 'PROCESSING')
    throw refusal(
      'CANNOT_SETTLE',
      'Its provider could not deliver this refund. Abandon the operation first.',
    );
  return null;
}

/** The refund of this amount that was made at the provider under a name. */
const madeThere = ({ id, provider, amountMinor, currency }: PaymentRefund, providerId: string) => ({
  ...{ provider, amountMinor, currency, providerId, ourId: id },
  movementKind: 'REFUND' as const,
});

/** The words of the audit trail for a refund that its provider has sent. */
const sentInstead = (
  { provider, amountMinor }: PaymentRefund,
  { transferId, amountMinor: sentMinor }: ArrivedTransfer,
  reference: string,
) => ({
  ...{ provider, reference: transferId },
  ...(sentMinor !== amountMinor && { sentMinor }),
  ...(transferId !== reference && { alsoSentAs: reference }),
});

/** Books a locked refund that a person has sent from our bank account, whichever provider brought the money. */
export async function bookSettledRefund(
  tx: Tx,
  refund: PaymentRefund,
  settlement: SettlementByHand,
): Promise<void> {
  if (!(await markSettled(tx, refund, settlement)))
    throw new Error(`Refund ${refund.id} is no longer ${refund.status}.`);
  await bookRefundSent(tx, { ...refund, sentAs: settlement.settlementId }, 'bank', settlement.at);
  await concludePayment(tx, refund, settlement.at);
}

const sentThrough = (provider: string): Error =>
  refusal(
    'ALREADY_SETTLED',
    `The money had already been sent through ${provider}, so this refund is completed by that.`,
  );

function requireOwed({ status, provider, providerRefundId, overdrawnMinor, currency }: PaymentRefund): void {
  if (status === 'COMPLETED' && providerRefundId !== null) throw sentThrough(provider);
  if (status === 'COMPLETED') throw refusal('ALREADY_SETTLED', 'This refund is already settled.');
  if (status === 'CHARGED_BACK') throw refusal('ALREADY_SETTLED', 'This refund is already settled.');
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
  businessRefusal('TRANSFER_ALREADY_USED', 'This transfer is already recorded for another payment.', {
    reference: ['is already recorded for another payment'],
  });

const cameBack = (): Error =>
  businessRefusal('TRANSFER_ALREADY_USED', 'The provider could not deliver this transfer.', {
    reference: ['is of a transfer that the provider could not deliver'],
  });
