import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import { orderAddressee } from '../../../db/commerce/order/order-letter.reads';
import { payerOf } from '../../../db/commerce/payment/payer.reads';
import { attemptsOfRequest } from '../../../db/commerce/refund/sending/refund-attempt.transitions';
import type { StoredRequest } from '../../../db/commerce/refund/refund-request.transitions';
import type { Tx } from '../../../db/sql/query';
import type { PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import {
  chargebackLetter,
  moneyFailedLetter,
  moneySentLetter,
  refundRequestLetter,
  type RefundMailKind,
} from '../../../workflows/commerce/refund/refund.letters';

/** Mails about what became of the money, which may be sent again after it came back. */
const OUTCOMES: readonly RefundMailKind[] = ['SENT', 'FAILED'];

/**
 * Queues a mail about a refund request, once for each decision and for each outcome of an attempt to send its money; a buyer whose
 * account is erased gets none.
 */
export async function queueRefundRequestMail(
  tx: Tx,
  { id, orderId, currency }: Pick<StoredRequest, 'id' | 'orderId' | 'currency'>,
  kind: RefundMailKind,
  { amountMinor, reason = null }: { amountMinor: number; reason?: string | null },
): Promise<void> {
  const buyer = await orderAddressee(tx, orderId);
  if (!buyer) return;
  const content = refundRequestLetter(kind, { ...buyer, amountMinor, currency, reason });
  const attempt = OUTCOMES.includes(kind) ? `:${await attemptsOfRequest(tx, id)}` : '';
  const reference = `refund:${id}:${kind.toLowerCase()}${attempt}`;
  await enqueueQuietMail(tx, { reference, to: buyer.email, ...letter(content) });
}

/** An amount of a buyer or investor, by the id of the refund. */
interface ReturningMoney extends PayableIds {
  id: string;
  amountMinor: number;
  currency: string;
}

const MONEY_LETTERS = { sent: moneySentLetter, failed: moneyFailedLetter };

/**
 * Queues a mail about money that was sent, or could not be delivered, and that no request was for, such as that of a cancelled order;
 * once for each attempt.
 */
export async function queueMoneyMail(
  tx: Tx,
  { id, sendings, amountMinor, currency, ...payable }: ReturningMoney & { sendings: number },
  outcome: keyof typeof MONEY_LETTERS,
): Promise<void> {
  const payer = await payerOf(tx, payable);
  if (!payer) return;
  const content = MONEY_LETTERS[outcome]({ ...payer, amountMinor, currency });
  const reference = `payment-refund:${id}:${outcome}:${sendings}`;
  await enqueueQuietMail(tx, { reference, to: payer.email, ...letter(content) });
}

/** Queues a mail about money that reached the buyer by a chargeback, and is therefore not sent; once for each chargeback. */
export async function queueChargebackMail(
  tx: Tx,
  { id, chargebackId, amountMinor, currency, ...payable }: ReturningMoney & { chargebackId: string },
): Promise<void> {
  const payer = await payerOf(tx, payable);
  if (!payer) return;
  const content = chargebackLetter({ ...payer, amountMinor, currency });
  await enqueueQuietMail(tx, {
    reference: `payment-refund:${id}:charged-back:${chargebackId}`,
    to: payer.email,
    ...letter(content),
  });
}
