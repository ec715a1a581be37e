import {
  isRefund,
  lockRefund,
  markAbandoned,
  readRefund,
  type PaymentRefund,
} from '../../../../db/commerce/refund/refund.transitions';
import { hasFailed } from '../../../../db/commerce/refund/reported/reported-refund.transitions';
import { markFound } from '../../../../db/commerce/refund/sending/refund-attempt.transitions';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { transferMove } from '../../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import type { PaymentRefundActivities } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { ONLY_JUST_CHANGED, wordsOfOther } from '../../../providers/payouts/abandon';
import { isWhole } from '../../../providers/payouts/attempted-transfer';
import type { Payments } from '../../payment/payment-offer';
import { concludeSentRefund, failRequest } from '../conclude-request';
import { bookCompletedRefund } from './complete-refund';
import { endChargedBackRefund } from './end-charged-back-refund';
import { asTransfer, foundNow, lookUpAttempts, openStateOf, type LookedUpRefund } from './look-up-attempts';

type Abandon = Parameters<PaymentRefundActivities['abandonRefund']>[0];
type Abandoned = Awaited<ReturnType<PaymentRefundActivities['abandonRefund']>>;

/**
 * Gives a refund up, if its provider has certainly not sent it: the money stays owed, in the ledger's account `refunds`, and a person
 * sends it. What its provider has sent is completed by that. Where the provider is gone for good, to give up is the word of a
 * person that it has not sent it.
 */
export async function abandonRefund(
  deps: { db: Db; payments: Payments },
  abandon: Abandon,
): Promise<Abandoned> {
  if (!(await isRefund(deps.db, abandon.refundId))) return 'MISSING';
  const lookedUp = await lookUpAttempts(deps, abandon);
  const kept = await inTransaction(deps.db, (tx) => abandonIn(tx, abandon, lookedUp));
  return kept === null ? null : { kept };
}

/** Returns the words for an operator if the refund stays with its provider; null: it does not. */
async function abandonIn(
  tx: Tx,
  { refundId, at }: Abandon,
  lookedUp: LookedUpRefund,
): Promise<string | null> {
  const refund = await lockRefund(tx, refundId);
  if (refund.status !== 'PROCESSING') {
    // A person who gives the look-up up says that the provider does not send it.
    if (refund.awaitsLookUp) await endChargedBackRefund(tx, refundId, at);
    return null;
  }
  const found = foundNow(refund, lookedUp);
  if (found === null) return ONLY_JUST_CHANGED;
  const state = openStateOf(refund);
  const to = transferMove('ABANDON', state, found.fate) ?? transferMove('SETTLE_REFUSED', state, found.fate);
  if (found.fate === 'SENT') {
    const transfer = asTransfer(refund);
    if (!isWhole(found.arrived, transfer)) return wordsOfOther(found.arrived, transfer);
    const { otherAttempt, transferId } = found.arrived;
    if (await hasFailed(tx, { provider: refund.provider, providerRefundId: transferId })) {
      // Its look-up does not show yet that it could not deliver it.
      await leaveToPerson(tx, refund, at);
      return null;
    }
    if (otherAttempt !== undefined) await markFound(tx, refundId, otherAttempt, at);
    const booked = await bookCompletedRefund(tx, refundId, transferId, at);
    if (booked.isNew) await concludeSentRefund(tx, booked, at);
    return null;
  }
  if (to === null) return found.why.message;
  await leaveToPerson(tx, refund, at);
  return null;
}

/**
 * Chosen: it stays counted as refunded, because it is owed, and must not go back twice. The part that a lost chargeback has paid ends.
 */
async function leaveToPerson(
  tx: Tx,
  { id, refundRequestId }: Pick<PaymentRefund, 'id' | 'refundRequestId'>,
  at: string,
): Promise<void> {
  await markAbandoned(tx, id);
  const ended = await endChargedBackRefund(tx, id, at);
  if (ended?.id === id || refundRequestId === null) return;
  const { amountMinor } = await readRefund(tx, id);
  await failRequest(tx, refundRequestId, amountMinor, at);
}
