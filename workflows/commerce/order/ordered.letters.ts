import { momentInWords, salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../money.rules';
import { transferParagraphs, type TransferAccount } from '../payable/transfer-letter.rules';

/** An order as its mails show it. */
export interface OrderedLetterData {
  firstName: string;
  orderNumber: string;
  currency: string;
  lines: readonly { name: string; quantity: number; totalMinor: number }[];
  subtotalMinor: number;
  discountMinor: number;
  shippingMinor: number;
  taxMinor: number;
  totalMinor: number;
  /** The part of the total that the partner balance pays. */
  partnerBalanceMinor: number;
  shippingAddress: {
    recipientName: string;
    street: string;
    postalCode: string;
    city: string;
    region: string | null;
    /** ISO 3166. */
    country: string;
  };
}

/** The way to pay an order; without a page and an account, the provider's page is not open yet. */
export interface PaymentLetterData {
  amountMinor: number;
  paymentUrl: string | null;
  bankDetails: TransferAccount | null;
  expiresAt: Date;
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** The goods, the sums and the delivery address of an order, each as the lines of one paragraph. */
export function orderedParagraphs(order: OrderedLetterData): (readonly string[])[] {
  const { currency, partnerBalanceMinor, totalMinor, shippingAddress: to } = order;
  const amount = (minor: number): string => amountInWords(minor, currency);
  return [
    order.lines.map(({ name, quantity, totalMinor }) => `${quantity} × ${name}: ${amount(totalMinor)}`),
    [
      `Subtotal: ${amount(order.subtotalMinor)}`,
      ...(order.discountMinor === 0 ? [] : [`Discount: -${amount(order.discountMinor)}`]),
      `Shipping: ${amount(order.shippingMinor)}`,
      `Tax: ${amount(order.taxMinor)}`,
      `Total: ${amount(totalMinor)}`,
      ...(partnerBalanceMinor === 0
        ? []
        : [`Paid from your partner balance: ${amount(partnerBalanceMinor)}`]),
    ],
    [
      'Delivery address:',
      to.recipientName,
      to.street,
      `${to.postalCode} ${to.city}`.trim(),
      ...(to.region === null || to.region === '' ? [] : [to.region]),
      COUNTRIES.of(to.country) ?? to.country,
    ],
  ];
}

/** An order that was placed and waits for its payment. */
export function orderPlacedLetter(order: OrderedLetterData, payment: PaymentLetterData) {
  const { orderNumber, currency, firstName } = order;
  return {
    subject: `Your order ${orderNumber}`,
    greeting: salutation(firstName),
    paragraphs: [
      `Thank you for your order ${orderNumber}. We have received it and are waiting for your payment.`,
      ...orderedParagraphs(order),
      ...paymentParagraphs(payment, amountInWords(payment.amountMinor, currency)),
    ],
    ...(payment.paymentUrl !== null && { link: { label: 'Pay now', url: payment.paymentUrl } }),
  };
}

function paymentParagraphs(
  { paymentUrl, bankDetails, expiresAt }: PaymentLetterData,
  amount: string,
): (string | readonly string[])[] {
  const until = momentInWords(expiresAt);
  const ifUnpaid = 'An order that is not paid by then is cancelled.';
  if (bankDetails !== null)
    return [
      `Please transfer ${amount} to this account by ${until}. ${ifUnpaid}`,
      ...transferParagraphs(bankDetails),
    ];
  if (paymentUrl !== null) return [`Please pay ${amount} by ${until}. ${ifUnpaid}`];
  return [
    `Please pay ${amount} by ${until}. ${ifUnpaid}`,
    'The payment page could not be opened yet. Open the order in your account to choose how to pay.',
  ];
}
