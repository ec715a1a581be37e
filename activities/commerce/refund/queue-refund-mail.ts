import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { buyerOfOrder } from '../../../db/commerce/payment/order-buyer.reads';
import type { KeptRequest } from '../../../db/commerce/refund/refund-request.transitions';
import type { Tx } from '../../../db/sql/query';
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
  await enqueueMail(tx, { reference, to: buyer.email, ...letter(content) });
}

/** An amount of an order that has reached its buyer, by the id of the refund. */
interface SentMoney {
  id: string;
  orderId: string;
  amountMinor: number;
  currency: string;
}

/** Queues a mail about money that was sent and that no request was for, such as that of a cancelled order. */
export async function queueMoneySentMail(
  tx: Tx,
  { id, orderId, amountMinor, currency }: SentMoney,
): Promise<void> {
  const buyer = await buyerOfOrder(tx, orderId);
  if (!buyer) return;
  const content = moneySentLetter({ ...buyer, amountMinor, currency });
  await enqueueMail(tx, { reference: `payment-refund:${id}:sent`, to: buyer.email, ...letter(content) });
}

/** Queues a mail about money that reached the buyer by a chargeback, and is therefore not sent. */
export async function queueChargebackMail(
  tx: Tx,
  { id, orderId, amountMinor, currency }: SentMoney,
): Promise<void> {
  const buyer = await buyerOfOrder(tx, orderId);
  if (!buyer) return;
  const content = chargebackLetter({ ...buyer, amountMinor, currency });
  await enqueueMail(tx, {
    reference: `payment-refund:${id}:charged-back`,
    to: buyer.email,
    ...letter(content),
  });
}
