import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import { buyerOfOrder, payerOf } from '../../../db/commerce/payment/order-buyer.reads';
import type { KeptRequest } from '../../../db/commerce/refund/refund-request.transitions';
import type { Tx } from '../../../db/sql/query';
import type { PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import {
  chargebackLetter,
  moneySentLetter,
  refundRequestLetter,
  type RefundMailKind,
} from '../../../workflows/commerce/refund/refund.letters';

/** Queues a mail about a refund request, once for each kind; a buyer whose account is erased gets none. */
export async function queueRefundRequestMail(
  tx: Tx,
  { id, orderId, currency }: Pick<KeptRequest, 'id' | 'orderId' | 'currency'>,
  kind: RefundMailKind,
  { amountMinor, reason = null }: { amountMinor: number; reason?: string | null },
): Promise<void> {
  const buyer = await buyerOfOrder(tx, orderId);
  if (!buyer) return;
  const content = refundRequestLetter(kind, { ...buyer, amountMinor, currency, reason });
  const reference = `refund:${id}:${kind.toLowerCase()}`;
  await enqueueQuietMail(tx, { reference, to: buyer.email, ...letter(content) });
}

/** An amount that has reached its buyer or investor, by the id of the refund. */
interface SentMoney extends PayableIds {
  id: string;
  amountMinor: number;
  currency: string;
}

/** Queues a mail about money that was sent and that no request was for, such as that of a cancelled order. */
export async function queueMoneySentMail(
  tx: Tx,
  { id, amountMinor, currency, ...payable }: SentMoney,
): Promise<void> {
  const payer = await payerOf(tx, payable);
  if (!payer) return;
  const content = moneySentLetter({ ...payer, amountMinor, currency });
  await enqueueQuietMail(tx, { reference: `payment-refund:${id}:sent`, to: payer.email, ...letter(content) });
}

/** Queues a mail about money that reached the buyer by a chargeback, and is therefore not sent. */
export async function queueChargebackMail(
  tx: Tx,
  { id, amountMinor, currency, ...payable }: SentMoney,
): Promise<void> {
  const payer = await payerOf(tx, payable);
  if (!payer) return;
  const content = chargebackLetter({ ...payer, amountMinor, currency });
  await enqueueQuietMail(tx, {
    reference: `payment-refund:${id}:charged-back`,
    to: payer.email,
    ...letter(content),
  });
}
