import { salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../money.rules';

/** REPAID: approved and already on the buyer's balance. */
export type RefundMailKind = 'APPROVED' | 'REPAID' | 'REJECTED' | 'SENT' | 'FAILED';

const SUBJECTS: Record<RefundMailKind, string> = {
  APPROVED: 'Refund approved',
  REPAID: 'Refund paid to your balance',
  REJECTED: 'Refund request declined',
  SENT: 'Refund sent',
  FAILED: 'Refund could not be sent',
};

/** Money of an order, and whom it belongs to. */
export interface RefundedMoney {
  firstName: string;
  orderNumber: string;
  amountMinor: number;
  currency: string;
}

/** The result of a refund request; `reason`: why it was turned down. */
export function refundRequestLetter(
  kind: RefundMailKind,
  { firstName, orderNumber, amountMinor, currency, reason }: RefundedMoney & { reason: string | null },
) {
  const amount = amountInWords(amountMinor, currency);
  const refund = `Your refund of ${amount} for order ${orderNumber}`;
  const paragraphs: Record<RefundMailKind, string[]> = {
    APPROVED: [`${refund} is approved. We are returning the money the way you paid.`],
    REPAID: [`${refund} is approved. The money is on your balance.`],
    REJECTED: [
      `We have declined your request for a refund of ${amount} for order ${orderNumber}.`,
      ...(reason ? [`Reason: ${reason}`] : []),
    ],
    SENT: [`${refund} has been sent the way you paid. It can take a few days to arrive.`],
    FAILED: [
      `${refund} could not be sent the way you paid.`,
      'We still owe you this amount and will contact you to arrange another way.',
    ],
  };
  return {
    subject: `${SUBJECTS[kind]}: order ${orderNumber}`,
    greeting: salutation(firstName),
    paragraphs: paragraphs[kind],
  };
}

/** Money of an order or a participation that has reached its user, who is addressed by `firstName`. */
export interface ReturnedMoney {
  firstName: string;
  /** Such as `order ORD-2026-00000339`. */
  paidFor: string;
  amountMinor: number;
  currency: string;
}

/** Money that was sent by hand, or that no request was for. */
export const moneySentLetter = ({ firstName, paidFor, amountMinor, currency }: ReturnedMoney) => ({
  subject: `${SUBJECTS.SENT}: ${paidFor}`,
  greeting: salutation(firstName),
  paragraphs: [
    `We have returned ${amountInWords(amountMinor, currency)} for ${paidFor} to you. It can take a few days to arrive.`,
  ],
});

/** Money that no request was for, that was sent, and that could not be delivered. */
export const moneyFailedLetter = ({ firstName, paidFor, amountMinor, currency }: ReturnedMoney) => ({
  subject: `${SUBJECTS.FAILED}: ${paidFor}`,
  greeting: salutation(firstName),
  paragraphs: [
    `We had returned ${amountInWords(amountMinor, currency)} for ${paidFor} to you, and it could not be delivered the way you paid.`,
    'We still owe you this amount and will contact you to arrange another way.',
  ],
});

/** A refund that reached the buyer by a chargeback, and is therefore not sent. */
export const chargebackLetter = ({ firstName, paidFor, amountMinor, currency }: ReturnedMoney) => ({
  subject: `Refund received through your bank: ${paidFor}`,
  greeting: salutation(firstName),
  paragraphs: [
    `Your bank has returned ${amountInWords(amountMinor, currency)} for ${paidFor} to you through a chargeback.`,
    'This settles the refund that we owed you, so we will not send it again.',
  ],
});
