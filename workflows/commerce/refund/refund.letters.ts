import { amountInWords } from '../money.rules';

/** REPAID: approved and already on the buyer's balance. */
export type RefundMailKind = 'APPROVED' | 'REPAID' | 'REJECTED' | 'SENT' | 'FAILED';

const SUBJECTS: Record<RefundMailKind, string> = {
  APPROVED: 'Your refund is approved',
  REPAID: 'Your refund is approved',
  REJECTED: 'Your refund is turned down',
  SENT: 'Your refund has been sent',
  FAILED: 'Your refund could not be sent',
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
  const paragraphs: Record<RefundMailKind, string[]> = {
    APPROVED: [`${amount} for your order ${orderNumber} are on their way back to where they came from.`],
    REPAID: [`${amount} for your order ${orderNumber} are back on your balance.`],
    REJECTED: [
      `We do not give back ${amount} for your order ${orderNumber}.`,
      ...(reason ? [`The reason: ${reason}`] : []),
    ],
    SENT: [`${amount} for your order ${orderNumber} have been sent back to where they came from.`],
    FAILED: [
      `${amount} for your order ${orderNumber} could not be sent back to where they came from.`,
      'We still owe you this money and will find another way with you.',
    ],
  };
  return {
    subject: `${SUBJECTS[kind]}: order ${orderNumber}`,
    greeting: `Hello ${firstName},`,
    paragraphs: paragraphs[kind],
  };
}

/** Money that was sent by hand, or that no request was for. */
export const moneySentLetter = ({ firstName, orderNumber, amountMinor, currency }: RefundedMoney) => ({
  subject: `${SUBJECTS.SENT}: order ${orderNumber}`,
  greeting: `Hello ${firstName},`,
  paragraphs: [
    `${amountInWords(amountMinor, currency)} for your order ${orderNumber} have been sent back to you.`,
  ],
});

/** A refund that reached the buyer by a chargeback, and is therefore not sent. */
export const chargebackLetter = ({ firstName, orderNumber, amountMinor, currency }: RefundedMoney) => ({
  subject: `Your refund has come through your bank: order ${orderNumber}`,
  greeting: `Hello ${firstName},`,
  paragraphs: [
    `Your bank has given ${amountInWords(amountMinor, currency)} for your order ${orderNumber} back to you, by the chargeback that you asked for.`,
    'We owed you this amount as a refund, so we do not send it a second time.',
  ],
});
