import { moneyModels } from './money-models';
import { analyticsModels, eventModels, partnerModels } from './partner-models';
import { AuditHead } from '../administration/audit/audit-head.model';
import { AuditRecord } from '../administration/audit/audit-record.model';
import { IdempotencyKey } from '../administration/idempotency/idempotency-key.model';
import { InvariantRun } from '../administration/operations/invariant-run.model';
import { JobRun } from '../administration/job/job-run.model';
import { OutboxMessage } from '../administration/outbox/outbox-message.model';
import { ParkedProcess } from '../administration/operations/parked-process.model';
import { RateLimit } from '../administration/retention/rate-limit.model';
import { RequestNote } from '../administration/idempotency/request-note.model';
import { DiscardedBlob } from '../blobs/discarded-blob.model';
import { BlockedWord } from '../catalog/review/blocked-word.model';
import { CatalogueChange } from '../catalog/catalogue-change/catalogue-change.model';
import { CatalogueCount } from '../catalog/catalogue-change/catalogue-count.model';
import { Category } from '../catalog/category/category.model';
import { ProductDailySale } from '../catalog/popularity/product-daily-sale.model';
import { ProductImage } from '../catalog/image/product-image.model';
import { ProductVariant } from '../catalog/variant/product-variant.model';
import { Product } from '../catalog/product/product.model';
import { ReviewVote } from '../catalog/review/review-vote.model';
import { Review } from '../catalog/review/review.model';
import { StockItem } from '../catalog/stock/stock-item.model';
import { StockMovement } from '../catalog/stock/stock-movement.model';
import { CartCoupon } from '../commerce/cart/cart-coupon.model';
import { CartItem } from '../commerce/cart/cart-item.model';
import { Cart } from '../commerce/cart/cart.model';
import { Chargeback } from '../commerce/chargeback/chargeback.model';
import { CouponUse } from '../commerce/coupon/coupon-use.model';
import { Coupon } from '../commerce/coupon/coupon.model';
import { OrderCoupon } from '../commerce/coupon/order-coupon.model';
import { OrderInternalNote } from '../commerce/order-administration/order-internal-note.model';
import { OrderItem } from '../commerce/order/order-item.model';
import { OrderStatusChange } from '../commerce/order/order-status-change.model';
import { Order } from '../commerce/order/order.model';
import { PaymentAttempt } from '../commerce/payment/payment-attempt.model';
import { PaymentCapture } from '../commerce/payment/payment-capture.model';
import { PaymentRefund } from '../commerce/refund/payment-refund.model';
import { RefundRequestItem } from '../commerce/refund/refund-request-item.model';
import { RefundRequest } from '../commerce/refund/refund-request.model';
import { SandboxEvent } from '../commerce/sandbox/sandbox-event.model';
import { SandboxPayment } from '../commerce/sandbox/sandbox-payment.model';
import { SandboxRefund } from '../commerce/sandbox/sandbox-refund.model';
import { SandboxTransfer } from '../commerce/sandbox/sandbox-transfer.model';
import { Shipment } from '../commerce/shipment/shipment.model';
import { ShippingMethod } from '../commerce/shipping/shipping-method.model';
import { ShippingRate } from '../commerce/shipping/shipping-rate.model';
import { ShippingZoneCountry } from '../commerce/shipping/shipping-zone-country.model';
import { ShippingZone } from '../commerce/shipping/shipping-zone.model';
import { TaxRate } from '../commerce/tax/tax-rate.model';
import { TrackingEvent } from '../commerce/shipment/tracking-event.model';
import { WebhookEvent } from '../administration/webhook/webhook-event.model';
import { Address } from '../identity/address/address.model';
import { BackupCode } from '../identity/second-factor/backup-code.model';
import { EarlierPassword } from '../identity/password/earlier-password.model';
import { ExternalAccount } from '../identity/external-account/external-account.model';
import { ExternalSignIn } from '../identity/external-account/external-sign-in.model';
import { LoginChallenge } from '../identity/session/login-challenge.model';
import { MailedToken } from '../identity/mailed-token/mailed-token.model';
import { Media } from '../identity/media/media.model';
import { RefreshToken } from '../identity/session/refresh-token.model';
import { SecondFactor } from '../identity/second-factor/second-factor.model';
import { SentCode } from '../identity/second-factor/sent-code.model';
import { PendingRegistration } from '../identity/registration/pending-registration.model';
import { PasswordResetRequest } from '../identity/password/password-reset-request.model';
import { Session } from '../identity/session/session.model';
import { UserNote } from '../identity/user-administration/user-note.model';
import { UserStatusChange } from '../identity/user/user-status-change.model';
import { User } from '../identity/user/user.model';
import { LedgerBalance } from '../ledger/ledger-balance.model';
import { LedgerDrift } from '../ledger/reconciliation/ledger-drift.model';
import { LedgerReconciliation } from '../ledger/reconciliation/reconciliation.model';
import { LedgerEntry } from '../ledger/ledger-entry.model';
import { LedgerTransfer } from '../ledger/ledger-transfer.model';
import { KycDocumentTries } from '../kyc/document/kyc-document-tries.model';
import { KycDocument } from '../kyc/document/kyc-document.model';
import { KycVerificationDocument } from '../kyc/document/kyc-verification-document.model';
import { KycHistory } from '../kyc/history/kyc-history.model';
import { KycDocumentNumber } from '../kyc/number/kyc-document-number.model';
import { KycVerification } from '../kyc/verification/kyc-verification.model';
import { Provider } from '../investment/provider/provider.model';
import { ProviderSecret } from '../investment/provider/provider-secret.model';
import { ProviderSignIn } from '../investment/provider/provider-sign-in.model';
import { InvestmentCategory } from '../investment/category/investment-category.model';
import { Strategy } from '../investment/strategy/strategy.model';
import { StrategyDocument } from '../investment/strategy/strategy-document.model';
import { Participation } from '../investment/participation/participation.model';
import { ParticipationValue } from '../investment/participation/participation-value.model';
import { InvestmentTransaction } from '../investment/transaction/investment-transaction.model';
import { InvestmentWithdrawal } from '../investment/withdrawal/investment-withdrawal.model';
import { KycProviderReport } from '../investment/kyc-push/kyc-provider-report.model';
import { KycPush } from '../investment/kyc-push/kyc-push.model';
import { KycSync } from '../investment/kyc-push/kyc-sync.model';
import { InvestmentDifference } from '../investment/reconciliation/investment-difference.model';
import { ProviderDayTotal } from '../investment/provider-event/provider-day-total.model';
import { InvestmentProviderDebt } from '../investment/reconciliation/investment-provider-debt.model';
import { InvestmentReport } from '../investment/reconciliation/investment-report.model';

/** Every table, for the connection that the whole platform uses. */
export const models = [
  ...analyticsModels,
  ...eventModels,
  ...partnerModels,
  ...moneyModels,
  Address,
  AuditHead,
  AuditRecord,
  BackupCode,
  BlockedWord,
  Cart,
  CartCoupon,
  CartItem,
  CatalogueChange,
  CatalogueCount,
  Category,
  Chargeback,
  Coupon,
  CouponUse,
  DiscardedBlob,
  EarlierPassword,
  ExternalAccount,
  ExternalSignIn,
  IdempotencyKey,
  ...[InvariantRun, JobRun],
  LedgerBalance,
  LedgerDrift,
  LedgerReconciliation,
  LedgerEntry,
  LedgerTransfer,
  LoginChallenge,
  MailedToken,
  KycDocument,
  KycDocumentNumber,
  KycDocumentTries,
  KycHistory,
  KycVerification,
  KycVerificationDocument,
  Media,
  Order,
  OrderCoupon,
  OrderInternalNote,
  OrderItem,
  OrderStatusChange,
  OutboxMessage,
  ParkedProcess,
  PaymentAttempt,
  PaymentCapture,
  PaymentRefund,
  Product,
  ProductDailySale,
  ProductImage,
  ProductVariant,
  RateLimit,
  RefreshToken,
  RefundRequest,
  RefundRequestItem,
  PendingRegistration,
  RequestNote,
  PasswordResetRequest,
  Review,
  ReviewVote,
  SandboxEvent,
  SandboxPayment,
  SandboxRefund,
  SandboxTransfer,
  SecondFactor,
  SentCode,
  Session,
  Shipment,
  ShippingMethod,
  ShippingRate,
  ShippingZone,
  ShippingZoneCountry,
  StockItem,
  StockMovement,
  TaxRate,
  TrackingEvent,
  User,
  UserNote,
  UserStatusChange,
  WebhookEvent,
  Provider,
  ProviderSecret,
  ProviderSignIn,
  InvestmentCategory,
  Strategy,
  StrategyDocument,
  Participation,
  ParticipationValue,
  InvestmentTransaction,
  InvestmentWithdrawal,
  KycProviderReport,
  KycPush,
  KycSync,
  InvestmentDifference,
  InvestmentProviderDebt,
  ProviderDayTotal,
  InvestmentReport,
];
