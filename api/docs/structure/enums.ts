import {
  COMMISSION_HOLDS,
  COMMISSION_SOURCES,
} from '../../../workflows/partners/commission/commission.rules';
import { commissionStates } from '../../../workflows/partners/commission/commission.states';
import { entranceStates } from '../../../workflows/partners/membership/entrance.states';
import { PRODUCT_STATUSES } from '../../../workflows/catalog/product/product.rules';
import { REVIEW_STATUSES } from '../../../workflows/catalog/review/review.rules';
import { ORDER_PAYMENT_STATUSES, orderStates } from '../../../workflows/commerce/order/order.states';
import { PAYOUT_KINDS, PAYOUT_OBSTACLES } from '../../../workflows/commerce/payout/payout.rules';
import { payoutStates } from '../../../workflows/commerce/payout/payout.states';
import { REFUND_REASONS } from '../../../workflows/commerce/refund/payment-refund.states';
import { TRACKING_STATUSES } from '../../../workflows/commerce/shipment/tracking.rules';
import { TWO_FACTOR_METHODS } from '../../../workflows/identity/second-factor/second-factor.rules';
import { PAYOUT_METHODS, ROLES, USER_STATUSES } from '../../../workflows/identity/user/user.rules';
import {
  IDENTITY_DOCUMENTS,
  KYC_ACTIONS,
  KYC_CONTENT_TYPES,
  KYC_DOCUMENT_STATUSES,
  KYC_DOCUMENT_TYPES,
  KYC_LEVELS,
  KYC_PRIORITIES,
  KYC_REJECTIONS,
  KYC_REJECTION_REASONS,
  KYC_STATUSES,
  REVIEWED_LEVELS,
  REQUESTABLE_LEVELS,
} from '../../../workflows/kyc/kyc.rules';
import {
  PAYOUT_FREQUENCIES,
  RETURN_TYPES,
  RISK_LEVELS,
  SECRET_PURPOSES,
  STRATEGY_DOCUMENT_TYPES,
  STRATEGY_STATUSES,
} from '../../../workflows/investment/strategy/strategy.rules';
import { WITHDRAWAL_METHODS } from '../../../workflows/investment/withdrawal/withdrawal.rules';
import { withdrawalStates } from '../../../workflows/investment/withdrawal/withdrawal.states';
import { KYC_ENDINGS } from '../../../workflows/kyc/submission.rules';
import { kycVerificationStates } from '../../../workflows/kyc/review/kyc-review.states';
import { ENTRY_TYPES } from '../../../workflows/ledger/entry.rules';
import {
  PARTICIPATION_METHODS,
  PARTICIPATION_ORIGINS,
} from '../../../workflows/investment/participation/participation.rules';
import { participationStates } from '../../../workflows/investment/participation/participation.states';
import { allSchemas, referenceTo, type Document } from './schema';

/** The enums that generated clients know by name, wherever a schema lists exactly these values. */
const ENUMS: Readonly<Record<string, readonly [values: readonly string[], description: string]>> = {
  CouponType: [['PERCENTAGE', 'FIXED'], 'The kind of discount: a percentage of the goods, or an amount.'],
  IdentityDocument: [IDENTITY_DOCUMENTS, 'A document by which a person proves who they are.'],
  KycApprovedLevel: [REVIEWED_LEVELS, 'A level that a reviewer can give.'],
  KycContentType: [KYC_CONTENT_TYPES, 'The media type in which a document is kept.'],
  KycDocumentStatus: [KYC_DOCUMENT_STATUSES, 'Whether a reviewer has accepted or rejected the document.'],
  KycDocumentType: [KYC_DOCUMENT_TYPES, 'The kind of document.'],
  KycHistoryAction: [KYC_ACTIONS, 'An event in the history of a verification.'],
  KycLevel: [KYC_LEVELS, 'The level to which an identity is verified, in ascending order.'],
  KycPriority: [KYC_PRIORITIES, 'The urgency of a review. HIGH: ENHANCED is asked for, or it is overdue.'],
  KycEnding: [
    KYC_ENDINGS,
    'How a verification is over. SUPERSEDED: a later approval replaces it. WITHDRAWN: the account is erased, or it was left unfinished.',
  ],
  KycQueueStatus: [
    ['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'],
    'SUBMITTED: nobody has claimed it. UNDER_REVIEW: a reviewer has. NEEDS_INFO: its user is to answer.',
  ],
  KycRejection: [KYC_REJECTIONS, 'Why a verification or a document is rejected. SUSPECTED_FRAUD is final.'],
  KycRejectionReason: [
    KYC_REJECTION_REASONS,
    'Why a verification is rejected. INFO_NOT_PROVIDED: its user did not answer a reviewer in time.',
  ],
  KycRequestedLevel: [REQUESTABLE_LEVELS, 'A level that a user can ask for.'],
  KycStatus: [KYC_STATUSES, 'The progress of the verification of an identity.'],
  KycVerificationStatus: [
    kycVerificationStates.names,
    'The progress of one verification. SUPERSEDED: a later approval replaces it. WITHDRAWN: the account is erased.',
  ],
  PayableStatus: [entranceStates.names, 'The progress of the payment of an entrance fee or of a top-up.'],
  OrderStatus: [orderStates.names, 'The progress of an order. REFUNDED: refunded in full.'],
  CommissionHold: [
    COMMISSION_HOLDS,
    'What keeps a commission PENDING although it is due. REFUND: one of its order is not done or not counted. CHARGEBACK: a bank took back what had paid for it. EARLY_WITHDRAWAL: the participation was withdrawn before. POINTS_LOST: refunds took the points of the rank.',
  ],
  CommissionSource: [
    COMMISSION_SOURCES,
    'The kind of what a commission is of. BONUS: an entrance fee or a leadership pool.',
  ],
  CommissionStatus: [
    commissionStates.names,
    'The progress of a commission. Only APPROVED ones can be paid out; HELD waits for a decision.',
  ],
  ParticipationMethod: [PARTICIPATION_METHODS, 'The means to pay for a participation.'],
  ParticipationOrigin: [
    PARTICIPATION_ORIGINS,
    'PLATFORM: paid here. PROVIDER: made at its provider. REINVESTMENT: made of a matured one.',
  ],
  ParticipationStatus: [
    participationStates.names,
    'The progress of a participation. Only an ACTIVE one earns; CANCELLED: it was not paid in time.',
  ],
  PartnerStatus: [['ACTIVE', 'SUSPENDED', 'TERMINATED'], 'The standing of a partner.'],
  PaymentMethod: [['CARD', 'BANK_TRANSFER', 'EWALLET', 'BALANCE'], 'BALANCE: the wallet with the shop.'],
  PaymentRefundReason: [REFUND_REASONS, 'The cause for money to be sent back.'],
  PaymentRefundStatus: [
    ['PROCESSING', 'COMPLETED', 'ABANDONED', 'CHARGED_BACK'],
    'The progress of money on its way back. CHARGED_BACK: the buyer has it by a chargeback, so it is not sent.',
  ],
  PaymentStatus: [ORDER_PAYMENT_STATUSES, 'The state of the payment of an order.'],
  PayoutFrequency: [PAYOUT_FREQUENCIES, 'How often a strategy distributes its profits.'],
  PayoutKind: [PAYOUT_KINDS, 'The balance that a payout is paid from: that of a partner, or the wallet.'],
  PayoutMethod: [PAYOUT_METHODS, 'The means by which money is sent to a user, or paid into the wallet.'],
  PayoutObstacle: [
    PAYOUT_OBSTACLES,
    'What keeps a user from a payout. ACCOUNT_NOT_ACTIVE: the account is suspended or banned.',
  ],
  PayoutStatus: [
    payoutStates.names,
    'The progress of a payout. PROCESSING: the money may be on its way; a certain refusal makes it APPROVED again.',
  ],
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
  ReturnType: [RETURN_TYPES, 'FIXED: the expected rate is promised. VARIABLE: it is an estimate.'],
  ReviewStatus: [REVIEW_STATUSES, 'Only PUBLISHED reviews are shown in the shop.'],
  RiskLevel: [RISK_LEVELS, 'The risk of a strategy, in ascending order.'],
  Role: [ROLES, 'Every account is a USER; administrators are ADMIN or SUPER_ADMIN, too.'],
  SecretPurpose: [
    SECRET_PURPOSES,
    'WEBHOOK signs reports in both directions, SSO tokens that sign users in.',
  ],
  SettlementOutcome: [
    ['DONE', 'REFUSED'],
    'The outcome of a transfer by hand. REFUSED: the bank refused it, or returned it.',
  ],
  SortOrder: [['asc', 'desc'], 'Ascending or descending.'],
  StrategyDocumentType: [STRATEGY_DOCUMENT_TYPES, 'The kind of document of a strategy.'],
  StrategySorting: [
    ['returnRate', 'duration', 'popularity', 'createdAt'],
    'returnRate: the expected one. duration: the shortest. popularity: all that was ever invested.',
  ],
  StrategyStatus: [STRATEGY_STATUSES, 'Only ACTIVE strategies take new participations; all are shown.'],
  TransferOutcome: [['APPLIED', 'RETURNED'], 'APPLIED: it pays. RETURNED: it is sent back.'],
  TrackingStatus: [TRACKING_STATUSES, 'The stage that a parcel has reached.'],
  TwoFactorMethod: [TWO_FACTOR_METHODS, 'TOTP: an authenticator app; SMS and EMAIL: a code that is sent.'],
  UserStatus: [USER_STATUSES, 'Only ACTIVE accounts can sign in.'],
  WalletEntryType: [ENTRY_TYPES, 'The cause of a change of a balance.'],
  WebhookEventStatus: [
    ['RECEIVED', 'PROCESSED', 'WAITING', 'IGNORED', 'DEAD'],
    'The progress of a report. DEAD: it could not be applied, and a person decides.',
  ],
  WebhookKind: [['PAYMENT', 'INVESTMENT'], 'The area whose provider sent a report.'],
  WithdrawalMethod: [WITHDRAWAL_METHODS, 'A way to be paid out. BALANCE: to the balance, at once.'],
  WithdrawalStatus: [
    withdrawalStates.names,
    'The progress of a payout. CREDITED: the transfer was refused, and the money is on the balance instead.',
  ],
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
