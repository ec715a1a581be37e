import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import type { KeptRequest } from '../../../db/commerce/refund/refund-request.transitions';
import { firstRow, type Tx } from '../../../db/sql/query';
import { currencyDigits, toMajor } from '../../../workflows/commerce/money.rules';

/** What became of a request, as its buyer hears it. REPAID: approved and back at once. */
export type RefundMailKind = 'APPROVED' | 'REPAID' | 'REJECTED' | 'SENT' | 'FAILED';

const SUBJECTS: Record<RefundMailKind, string> = {
  APPROVED: 'Your refund is approved',
  REPAID: 'Your refund is approved',
  REJECTED: 'Your refund is turned down',
  SENT: 'Your refund has been sent',
  FAILED: 'Your refund could not be sent',
};

/** Chosen: an amount as "59.50 USD", the same for everyone. */
export const inWords = (amountMinor: number, currency: string): string =>
  `${toMajor(amountMinor, currency).toFixed(currencyDigits(currency))} ${currency}`;

/** Owes the buyer a mail, once for each kind of news; one whose account is gone gets none. */
export async function tellBuyer(
  tx: Tx,
  { id, orderId, currency }: Pick<KeptRequest, 'id' | 'orderId' | 'currency'>,
  news: RefundMailKind,
  { amountMinor, reason = null }: { amountMinor: number; reason?: string | null },
): Promise<void> {
  const buyer = await buyerOf(tx, orderId);
  if (!buyer) return;
  const amount = inWords(amountMinor, currency);
  const texts: Record<RefundMailKind, string[]> = {
    APPROVED: [`${amount} for your order ${buyer.number} are on their way back to where they came from.`],
    REPAID: [`${amount} for your order ${buyer.number} are back on your balance.`],
    REJECTED: [
      `We do not give back ${amount} for your order ${buyer.number}.`,
      ...(reason ? [`The reason: ${reason}`] : []),
    ],
    SENT: [`${amount} for your order ${buyer.number} have been sent back to where they came from.`],
    FAILED: [
      `${amount} for your order ${buyer.number} could not be sent back to where they came from.`,
      'We still owe you this money and will find another way with you.',
    ],
  };
  await enqueueMail(tx, {
    reference: `refund:${id}:${news.toLowerCase()}`,
    to: buyer.email,
    ...letter({
      subject: `${SUBJECTS[news]}: order ${buyer.number}`,
      greeting: `Hello ${buyer.firstName},`,
      paragraphs: texts[news],
    }),
  });
}

/** A sum of an order that has reached its buyer, by the id of the refund. */
interface SentMoney {
  id: string;
  orderId: string;
  amountMinor: number;
  currency: string;
}

/** Owes the buyer a mail about money that a person has sent and that no request was for: of a cancelled order, say. */
export async function queueMoneySentMail(
  tx: Tx,
  { id, orderId, amountMinor, currency }: SentMoney,
): Promise<void> {
  const buyer = await buyerOf(tx, orderId);
  if (!buyer) return;
  await enqueueMail(tx, {
    reference: `payment-refund:${id}:sent`,
    to: buyer.email,
    ...letter({
      subject: `${SUBJECTS.SENT}: order ${buyer.number}`,
      greeting: `Hello ${buyer.firstName},`,
      paragraphs: [
        `${inWords(amountMinor, currency)} for your order ${buyer.number} have been sent back to you.`,
      ],
    }),
  });
}

/** Owes the buyer a mail about money that reached them by a chargeback, so that it is not sent once more. */
export async function queueChargebackMail(
  tx: Tx,
  { id, orderId, amountMinor, currency }: SentMoney,
): Promise<void> {
  const buyer = await buyerOf(tx, orderId);
  if (!buyer) return;
  const amount = inWords(amountMinor, currency);
  await enqueueMail(tx, {
    reference: `payment-refund:${id}:charged-back`,
    to: buyer.email,
    ...letter({
      subject: `Your refund has come through your bank: order ${buyer.number}`,
      greeting: `Hello ${buyer.firstName},`,
      paragraphs: [
        `Your bank has given ${amount} for your order ${buyer.number} back to you, by the chargeback that you asked for.`,
        'We owed you this amount as a refund, so we do not send it a second time.',
      ],
    }),
  });
}

const buyerOf = (
  tx: Tx,
  orderId: string,
): Promise<{ email: string; firstName: string; number: string } | null> =>
  firstRow(
    tx,
    `SELECT u.email, u.first_name, o.number FROM orders o JOIN users u ON u.id = o.user_id
     WHERE o.id = $1 AND u.erased_at IS NULL`,
    [orderId],
  );
