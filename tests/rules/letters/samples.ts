import type { LetterContent } from '../../../db/administration/outbox/letter';
import { orderChangedLetter } from '../../../workflows/commerce/order/order.letters';
import {
  orderPlacedLetter,
  type OrderedLetterData,
  type PaymentLetterData,
} from '../../../workflows/commerce/order/ordered.letters';
import { orderPaidLetter } from '../../../workflows/commerce/payment/payment.letters';
import {
  chargebackLetter,
  moneyFailedLetter,
  moneySentLetter,
  refundRequestLetter,
  type RefundMailKind,
} from '../../../workflows/commerce/refund/refund.letters';
import {
  deletionCancelledLetter,
  deletionScheduledLetter,
} from '../../../workflows/identity/account-deletion/account-deletion.letters';
import { passwordChangedLetter, resetLetter } from '../../../workflows/identity/password/password.letters';
import { verificationLetter } from '../../../workflows/identity/registration/registration.letters';
import {
  codeLetter,
  codeText,
  twoFactorChangedLetter,
  twoFactorOffLetter,
  twoFactorOnLetter,
} from '../../../workflows/identity/second-factor/second-factor.letters';
import { statusChangedLetter } from '../../../workflows/identity/suspension/suspension.letters';
import { userChangeMessages } from '../../../workflows/identity/user-administration/user-change.letters';
import { commissionSamples } from './commission-samples';
import { kycSamples } from './kyc-samples';
import { membershipSamples } from './membership-samples';
import { poolSamples } from './pool-samples';
import { participationSamples } from './participation-samples';
import { payoutSamples } from './payout-samples';
import { topUpSamples } from './top-up-samples';
import { withdrawalSamples } from './withdrawal-samples';
import { payoutDetailsChangedLetter } from '../../../workflows/identity/user/payout-details.letters';

/** The letters of one function, by the case; a text message is its text. */
type Samples = Readonly<Record<string, LetterContent | string>>;

const ada = 'Ada';
const orderNumber = 'ORD-2026-00000341';
const day = new Date('2026-12-06T10:00:00.000Z');

export const ordered: OrderedLetterData = {
  firstName: ada,
  orderNumber,
  currency: 'USD',
  lines: [
    { name: 'Desk lamp', quantity: 2, totalMinor: 5_000 },
    { name: 'Shirt, Red', quantity: 1, totalMinor: 2_000 },
  ],
  subtotalMinor: 7_000,
  discountMinor: 700,
  shippingMinor: 500,
  taxMinor: 1_197,
  totalMinor: 7_997,
  partnerBalanceMinor: 0,
  shippingAddress: {
    recipientName: 'Ada Lovelace',
    street: 'Unter den Linden 1',
    postalCode: '10117',
    city: 'Berlin',
    region: null,
    country: 'DE',
  },
};

const due: PaymentLetterData = {
  amountMinor: 7_997,
  paymentUrl: null,
  bankDetails: null,
  expiresAt: new Date('2026-11-22T18:30:00.000Z'),
};
const paymentUrl = 'https://pay.example.com/p/0198c1de';
const bankDetails = {
  accountHolder: 'Demo Shop',
  bankName: 'Demo Bank',
  accountNumber: 'DE02 1203 0000 0000 2020 51',
  bik: 'BYLADEM1001',
};

const parcel = {
  firstName: ada,
  orderNumber,
  trackingNumber: 'A 1',
  trackingUrl: null,
  template: 'https://post.example.com/{trackingNumber}',
};
const unsent = { ...parcel, trackingNumber: null, template: null };

const money = { firstName: ada, orderNumber, amountMinor: 4_629, currency: 'USD' };
const refund = (kind: RefundMailKind, reason: string | null = null) =>
  refundRequestLetter(kind, { ...money, reason });

const user = { firstName: ada, email: 'ada@example.com', phone: '+4915112345678', roles: ['USER'] };
const grown = { ...user, email: 'ada@new.example.com', phone: '+4915187654321', roles: ['USER', 'ADMIN'] };
const changed = userChangeMessages(user, grown);
const undo = { code: 'ut_4f9c1e', days: 14 };

/** Every letter with sample data, by the function that writes it. */
export const samples: Readonly<Record<string, Samples>> = {
  orderPlacedLetter: {
    'by card or e-wallet': orderPlacedLetter(ordered, { ...due, paymentUrl }),
    'by bank transfer': orderPlacedLetter(ordered, {
      ...due,
      bankDetails: { ...bankDetails, purpose: orderNumber },
    }),
    'partly paid from the partner balance, page not open, no name': orderPlacedLetter(
      { ...ordered, firstName: ' ', partnerBalanceMinor: 1_000, discountMinor: 0 },
      { ...due, amountMinor: 6_997 },
    ),
  },
  orderPaidLetter: { paid: orderPaidLetter(ordered) },
  orderChangedLetter: {
    'in preparation': orderChangedLetter(unsent, { to: 'PROCESSING', note: null }),
    shipped: orderChangedLetter(parcel, { to: 'SHIPPED', note: 'In two parcels.' }),
    delivered: orderChangedLetter(parcel, { to: 'DELIVERED', note: null }),
    cancelled: orderChangedLetter(parcel, {
      to: 'CANCELLED',
      note: 'The lamp is out of stock.',
      isPaid: true,
    }),
    'cancelled before payment': orderChangedLetter(unsent, { to: 'CANCELLED', note: null }),
    'a new note': orderChangedLetter(unsent, { to: null, note: 'The parcel is late.' }),
    'tracking added': orderChangedLetter(parcel, { to: null, note: null, tracking: 'ADDED' }),
    'tracking changed': orderChangedLetter(parcel, { to: null, note: null, tracking: 'CHANGED' }),
    'tracking removed': orderChangedLetter(unsent, { to: null, note: null, tracking: 'REMOVED' }),
  },
  refundRequestLetter: {
    approved: refund('APPROVED'),
    'paid to the balance': refund('REPAID'),
    rejected: refund('REJECTED', 'It was worn.'),
    sent: refund('SENT'),
    failed: refund('FAILED'),
  },
  moneyFailedLetter: {
    'money of a cancelled order': moneyFailedLetter({ ...money, paidFor: `order ${orderNumber}` }),
  },
  moneySentLetter: {
    'money of a cancelled order': moneySentLetter({ ...money, paidFor: `order ${orderNumber}` }),
    'money of a participation': moneySentLetter({ ...money, paidFor: 'participation INV-2026-00000012' }),
  },
  chargebackLetter: {
    'through a chargeback': chargebackLetter({ ...money, paidFor: `order ${orderNumber}` }),
  },
  verificationLetter: {
    'confirm an address': verificationLetter(ada, 'vt_81c2', { verificationHours: 24, unverifiedDays: 7 }),
  },
  codeLetter: { 'a code': codeLetter(ada, '123456', 'signing in') },
  codeText: { 'a code': codeText('123456', 'confirming your phone number') },
  twoFactorOnLetter: {
    'turned on': twoFactorOnLetter(ada, undo),
    'turned on by an administrator': twoFactorOnLetter(ada, null),
  },
  twoFactorOffLetter: { 'turned off': twoFactorOffLetter(ada, undo) },
  twoFactorChangedLetter: {
    'turned off by a code': twoFactorChangedLetter(ada, 'undone-on'),
    'turned on by a code': twoFactorChangedLetter(ada, 'undone-off'),
    reset: twoFactorChangedLetter(ada, 'reset'),
  },
  resetLetter: { 'forgotten password': resetLetter(ada, 'pt_77aa') },
  passwordChangedLetter: { 'changed password': passwordChangedLetter(ada) },
  payoutDetailsChangedLetter: { 'changed payout details': payoutDetailsChangedLetter(ada) },
  deletionScheduledLetter: {
    scheduled: deletionScheduledLetter({ firstName: ada, dueAt: day, graceDays: 14, token: 'ut_4f9c1e' }),
  },
  deletionCancelledLetter: {
    'by signing in': deletionCancelledLetter(ada, 'SIGNED_IN'),
    'by a code': deletionCancelledLetter(ada, 'UNDONE'),
  },
  statusChangedLetter: {
    suspended: statusChangedLetter({ decision: 'SUSPEND', until: day }, ada, 'Several chargebacks.'),
    active: statusChangedLetter({ decision: 'ACTIVATE', until: null }, ada, null),
    banned: statusChangedLetter({ decision: 'BAN', until: null }, ada, 'Fraud.'),
    unbanned: statusChangedLetter({ decision: 'UNBAN', until: null }, ada, null),
  },
  userChangeMessages: {
    ...Object.fromEntries(changed.mails.map(({ name, content }) => [name, content])),
    'phone number': changed.sms!.text,
  },
  ...kycSamples,
  ...participationSamples,
  ...membershipSamples,
  ...topUpSamples,
  ...poolSamples,
  ...withdrawalSamples,
  ...payoutSamples,
  ...commissionSamples,
};
