import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail, replaceMail } from '../../../db/administration/outbox/outbox.writes';
import { orderedMail } from '../../../db/commerce/checkout/order-letter.reads';
import { nameOf } from '../../../db/commerce/checkout/place-order.transitions';
import type { PaymentMeans } from '../../../db/commerce/payment/payment-attempt.transitions';
import type { Tx } from '../../../db/sql/query';
import { orderPlacedLetter, type PaymentLetterData } from '../../../workflows/commerce/order/ordered.letters';
import type { OrderDraft } from './order-draft';

/** Longer than the checkout waits for a provider to open its page, so that the mail can still get it. */
const PAGE_WAIT_MS = 10_000;

/** An order as it was just written, with its first attempt to pay. */
interface JustPlaced {
  orderId: string;
  orderNumber: string;
  draft: OrderDraft;
  amountMinor: number;
  /** ISO 8601. */
  payBy: string;
  means: PaymentMeans;
  /** Of our bank account. */
  accountHolder: string;
}

const referenceOf = (orderId: string): string => `order:${orderId}:placed`;

/**
 * Queues the mail about an order that waits for payment. It is written from the draft, so that it costs the checkout no
 * read. Where a company has yet to open the page, the mail waits for that, and goes without the page if none comes.
 */
export async function queuePlacedMail(tx: Tx, placed: JustPlaced): Promise<void> {
  const { orderId, orderNumber, draft, amountMinor, payBy, means, accountHolder } = placed;
  const { buyer, price, currency, partnerBalanceMinor, shippingAddress } = draft;
  const { subtotalMinor, discountMinor, taxMinor, totalMinor } = price;
  const order = {
    firstName: buyer.firstName,
    orderNumber,
    currency,
    lines: draft.lines.map((line, i) => ({
      name: nameOf(line),
      quantity: line.quantity,
      totalMinor: price.lines[i]?.totalMinor ?? 0,
    })),
    ...{ subtotalMinor, discountMinor, taxMinor, totalMinor, partnerBalanceMinor, shippingAddress },
    shippingMinor: price.shippingMinor ?? 0,
  };
  const { paymentUrl } = means;
  const bankDetails = means.bankDetails && { ...means.bankDetails, accountHolder };
  const content = orderPlacedLetter(order, {
    ...{ paymentUrl, bankDetails, amountMinor },
    expiresAt: new Date(payBy),
  });
  const mail = { reference: referenceOf(orderId), to: buyer.email, ...letter(content) };
  const isPageKnown = means.paymentUrl !== null || means.bankDetails !== null;
  await enqueueQuietMail(tx, mail, isPageKnown ? 0 : PAGE_WAIT_MS);
}

/** Gives the waiting mail about an order its page; nothing when it has gone without. */
export async function addPageToMail(tx: Tx, orderId: string, payment: PaymentLetterData): Promise<void> {
  const order = await orderedMail(tx, orderId);
  if (!order) return;
  await replaceMail(tx, { reference: referenceOf(orderId), ...letter(orderPlacedLetter(order, payment)) });
}
