import { PRODUCT_STATUSES } from '../../../workflows/catalog/product/product.rules';
import { REVIEW_STATUSES } from '../../../workflows/catalog/review/review.rules';
import { ORDER_PAYMENT_STATUSES, orderStates } from '../../../workflows/commerce/order/order.states';
import { REFUND_REASONS } from '../../../workflows/commerce/refund/payment-refund.states';
import { TRACKING_STATUSES } from '../../../workflows/commerce/shipment/tracking.rules';
import { TWO_FACTOR_METHODS } from '../../../workflows/identity/second-factor/second-factor.rules';
import { PAYOUT_METHODS, ROLES, USER_STATUSES } from '../../../workflows/identity/user/user.rules';
import { KYC_LEVELS, KYC_STATUSES } from '../../../workflows/kyc/kyc.rules';
import { ENTRY_TYPES } from '../../../workflows/ledger/entry.rules';
import { allSchemas, referenceTo, type Document } from './schema';

/** The enums that generated clients know by name, wherever a schema lists exactly these values. */
const ENUMS: Readonly<Record<string, readonly [values: readonly string[], description: string]>> = {
  CouponType: [['PERCENTAGE', 'FIXED'], 'The kind of discount: a percentage of the goods, or an amount.'],
  KycLevel: [KYC_LEVELS, 'The level to which an identity is verified, in ascending order.'],
  KycStatus: [KYC_STATUSES, 'The progress of the verification of an identity.'],
  OrderStatus: [orderStates.names, 'The progress of an order. REFUNDED: refunded in full.'],
  PartnerStatus: [['ACTIVE', 'SUSPENDED', 'TERMINATED'], 'The standing of a partner.'],
  PaymentMethod: [['CARD', 'BANK_TRANSFER', 'EWALLET', 'BALANCE'], 'BALANCE: the wallet with the shop.'],
  PaymentRefundReason: [REFUND_REASONS, 'The cause for money to be sent back.'],
  PaymentRefundStatus: [
    ['PROCESSING', 'COMPLETED', 'ABANDONED', 'CHARGED_BACK'],
    'The progress of money on its way back. CHARGED_BACK: the buyer has it by a chargeback, so it is not sent.',
  ],
  PaymentStatus: [ORDER_PAYMENT_STATUSES, 'The state of the payment of an order.'],
  PayoutMethod: [PAYOUT_METHODS, 'The means by which money is sent to a user.'],
  ProductStatus: [
    PRODUCT_STATUSES,
    'ACTIVE and OUT_OF_STOCK are shown in the shop, DRAFT and ARCHIVED are not.',
  ],
  ProductSorting: [['price', 'name', 'createdAt', 'popularity'], 'The field that products are sorted by.'],
  RefundStatus: [
    ['PENDING_REVIEW', 'APPROVED', 'REJECTED', 'PROCESSING', 'COMPLETED', 'FAILED'],
    'The progress of a refund request.',
  ],
  Region: [['EU', 'US', 'APAC'], 'A sales region; an account belongs to one.'],
  ReviewStatus: [REVIEW_STATUSES, 'Only PUBLISHED reviews are shown in the shop.'],
  Role: [ROLES, 'Every account is a USER; administrators are ADMIN or SUPER_ADMIN, too.'],
  SortOrder: [['asc', 'desc'], 'Ascending or descending.'],
  TrackingStatus: [TRACKING_STATUSES, 'The stage that a parcel has reached.'],
  TwoFactorMethod: [TWO_FACTOR_METHODS, 'TOTP: an authenticator app; SMS and EMAIL: a code that is sent.'],
  UserStatus: [USER_STATUSES, 'Only ACTIVE accounts can sign in.'],
  WalletEntryType: [ENTRY_TYPES, 'The cause of a change of a balance.'],
};

/** Makes the named enums components, to which every schema with the same values refers. */
export function nameEnums(document: Document): void {
  const nameOf = new Map(Object.entries(ENUMS).map(([name, [values]]) => [keyOf(values), name]));
  const used = new Set<string>();
  for (const schema of allSchemas(document)) {
    const name = schema.enum && nameOf.get(keyOf(schema.enum));
    if (name === undefined) continue;
    delete schema.enum;
    delete schema.type;
    Object.assign(schema, referenceTo(name));
    used.add(name);
  }
  for (const name of used) {
    const [values, description] = ENUMS[name] ?? [[], ''];
    document.components.schemas[name] = { type: 'string', enum: [...values], description };
  }
}

/** The same for the same values in any order. */
const keyOf = (values: readonly unknown[]): string => [...values].sort().join(' ');
