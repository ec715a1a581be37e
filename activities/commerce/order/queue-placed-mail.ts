import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail, replaceMail, withdrawMail } from '../../../db/administration/outbox/outbox.writes';
import { orderedMail } from '../../../db/commerce/order/order-letter.reads';
import { nameOf } from '../../../db/commerce/checkout/place-order.transitions';
import type { CartLine } from '../../../db/commerce/cart/cart.reads';
import type { Buyer } from '../../../db/commerce/checkout/buyer.reads';
import type { OrderAddress } from '../../../db/identity/address/order-address';
import type { PaymentMeans } from '../../../db/commerce/payment/payment-attempt.transitions';
import type { Tx } from '../../../db/sql/query';
import { orderPlacedLetter, type PaymentLetterData } from '../../../workflows/commerce/order/ordered.letters';
import type { OrderPrice } from '../../../workflows/commerce/order/pricing.rules';

/** Longer than the checkout waits for a provider to open its page, so that the mail can still get it. */
const PAGE_WAIT_MS = 10_000;

/** An order as it was just written, with its first attempt to pay. */
interface JustPlaced {
  orderId: string;
  orderNumber: string;
  draft: {
    buyer: Pick<Buyer, 'firstName' | 'email'>;
    lines: CartLine[];
    price: OrderPrice;
    currency: string;
    shippingAddress: OrderAddress;
    partnerBalanceMinor: number;
  };
  amountMinor: number;
  /** ISO 8601. */
  payBy: string;
  means: PaymentMeans;
  /** Of our bank account. */
  accountHolder: string;
}

const placedMailOf = (orderId: string): string => `order:${orderId}:placed`;

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
  const payment = { ...inLetter(means, accountHolder), amountMinor, expiresAt: new Date(payBy) };
  const content = orderPlacedLetter(order, payment);
  const mail = { reference: placedMailOf(orderId), to: buyer.email, ...letter(content) };
  await enqueueQuietMail(tx, mail, waitFor(means));
}

/** The way to pay as a letter says it. */
export const inLetter = ({ paymentUrl, bankDetails }: PaymentMeans, accountHolder: string) => ({
  paymentUrl,
  bankDetails: bankDetails && { ...bankDetails, accountHolder },
});

/** Changes how the waiting mail says to pay, as it is new or known by now; nothing when the mail has gone. */
export const changePlacedMail = (tx: Tx, orderId: string, payment: PaymentLetterData): Promise<void> =>
  replaceMail(
    tx,
    placedMailOf(orderId),
    async () => {
      const order = await orderedMail(tx, orderId);
      return order && letter(orderPlacedLetter(order, payment));
    },
    waitFor(payment),
  );

/** Withdraws the mail that asks for the payment of an order that no longer waits for it; nothing when it has gone. */
export const withdrawPlacedMail = (tx: Tx, orderId: string): Promise<void> =>
  withdrawMail(tx, placedMailOf(orderId));

const waitFor = ({ paymentUrl, bankDetails }: PaymentMeans): number =>
  paymentUrl === null && bankDetails === null ? PAGE_WAIT_MS : 0;
