import { AuditHead } from './administration/audit-head.model';
import { AuditRecord } from './administration/audit-record.model';
import { DomainEvent } from './administration/domain-event.model';
import { IdempotencyKey } from './administration/idempotency-key.model';
import { InvariantRun } from './administration/invariant-run.model';
import { OutboxMessage } from './administration/outbox-message.model';
import { ParkedProcess } from './administration/parked-process.model';
import { RateLimit } from './administration/rate-limit.model';
import { RequestNote } from './administration/request-note.model';
import { DiscardedBlob } from './blobs/discarded-blob.model';
import { BlockedWord } from './catalog/blocked-word.model';
import { CatalogueChange } from './catalog/catalogue-change.model';
import { CatalogueCount } from './catalog/catalogue-count.model';
import { Category } from './catalog/category.model';
import { ProductDailySale } from './catalog/product-daily-sale.model';
import { ProductImage } from './catalog/product-image.model';
import { ProductVariant } from './catalog/product-variant.model';
import { Product } from './catalog/product.model';
import { ReviewVote } from './catalog/review-vote.model';
import { Review } from './catalog/review.model';
import { StockItem } from './catalog/stock-item.model';
import { StockMovement } from './catalog/stock-movement.model';
import { CartCoupon } from './commerce/cart-coupon.model';
import { CartItem } from './commerce/cart-item.model';
import { Cart } from './commerce/cart.model';
import { Chargeback } from './commerce/chargeback.model';
import { CouponUse } from './commerce/coupon-use.model';
import { Coupon } from './commerce/coupon.model';
import { OrderCoupon } from './commerce/order-coupon.model';
import { OrderItem } from './commerce/order-item.model';
import { OrderStatusChange } from './commerce/order-status-change.model';
import { Order } from './commerce/order.model';
import { PaymentAttempt } from './commerce/payment-attempt.model';
import { PaymentCapture } from './commerce/payment-capture.model';
import { PaymentRefund } from './commerce/payment-refund.model';
import { RefundRequestItem } from './commerce/refund-request-item.model';
import { RefundRequest } from './commerce/refund-request.model';
import { SandboxEvent } from './commerce/sandbox-event.model';
import { SandboxPayment } from './commerce/sandbox-payment.model';
import { SandboxRefund } from './commerce/sandbox-refund.model';
import { Shipment } from './commerce/shipment.model';
import { ShippingMethod } from './commerce/shipping-method.model';
import { ShippingRate } from './commerce/shipping-rate.model';
import { ShippingZoneCountry } from './commerce/shipping-zone-country.model';
import { ShippingZone } from './commerce/shipping-zone.model';
import { TaxRate } from './commerce/tax-rate.model';
import { TrackingEvent } from './commerce/tracking-event.model';
import { WebhookEvent } from './commerce/webhook-event.model';
import { Address } from './identity/address.model';
import { BackupCode } from './identity/backup-code.model';
import { EarlierPassword } from './identity/earlier-password.model';
import { ExternalAccount } from './identity/external-account.model';
import { ExternalSignIn } from './identity/external-sign-in.model';
import { LoginChallenge } from './identity/login-challenge.model';
import { MailedToken } from './identity/mailed-token.model';
import { Media } from './identity/media.model';
import { RefreshToken } from './identity/refresh-token.model';
import { SecondFactor } from './identity/second-factor.model';
import { SentCode } from './identity/sent-code.model';
import { RegistrationWish } from './identity/registration-wish.model';
import { ResetWish } from './identity/reset-wish.model';
import { Session } from './identity/session.model';
import { UserNote } from './identity/user-note.model';
import { UserStandingChange } from './identity/user-standing-change.model';
import { User } from './identity/user.model';
import { LedgerBalance } from './ledger/ledger-balance.model';
import { LedgerDrift } from './ledger/ledger-drift.model';
import { LedgerReconciliation } from './ledger/reconciliation.model';
import { LedgerEntry } from './ledger/ledger-entry.model';
import { LedgerTransfer } from './ledger/ledger-transfer.model';
import { Partner } from './partners/partner.model';
import { ReferralTouch } from './partners/referral-touch.model';

/** Every table, for the one connection that all of the platform goes through. */
export const models = [
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
  DomainEvent,
  EarlierPassword,
  ExternalAccount,
  ExternalSignIn,
  IdempotencyKey,
  InvariantRun,
  LedgerBalance,
  LedgerDrift,
  LedgerReconciliation,
  LedgerEntry,
  LedgerTransfer,
  LoginChallenge,
  MailedToken,
  Media,
  Order,
  OrderCoupon,
  OrderItem,
  OrderStatusChange,
  OutboxMessage,
  ParkedProcess,
  Partner,
  PaymentAttempt,
  PaymentCapture,
  PaymentRefund,
  Product,
  ProductDailySale,
  ProductImage,
  ProductVariant,
  RateLimit,
  ReferralTouch,
  RefreshToken,
  RefundRequest,
  RefundRequestItem,
  RegistrationWish,
  RequestNote,
  ResetWish,
  Review,
  ReviewVote,
  SandboxEvent,
  SandboxPayment,
  SandboxRefund,
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
  UserStandingChange,
  WebhookEvent,
];
