/** Everything that audit records tell of: the actions on each type of entity. Recording takes nothing else. */
export const AUDITED = {
  analytics: ['analytics.export'],
  'bank-file': [
    'bank-file.make',
    'bank-file.read',
    'bank-file.refuse-transfer',
    'bank-file.report',
    'bank-file.withdraw',
  ],
  category: ['category.create', 'category.update', 'category.delete'],
  commission: ['commission.adjust', 'commission.export'],
  coupon: ['coupon.create', 'coupon.update', 'coupon.delete'],
  'investment-category': ['investment-category.create', 'investment-category.update'],
  'investment-difference': ['investment-difference.accept'],
  kyc: [
    'kyc.allow-resubmission',
    'kyc.approve',
    'kyc.claim',
    'kyc.open',
    'kyc.open-file',
    'kyc.reject',
    'kyc.release',
    'kyc.request-info',
  ],
  message: ['message.resend'],
  order: [
    'order.add-tracking-event',
    'order.cancel',
    'order.confirm-transfer',
    'order.describe',
    'order.export',
    'order.move',
    'order.refund',
  ],
  entrance: ['entrance.confirm-transfer'],
  event: ['event.retry'],
  partner: [
    'partner.activate',
    'partner.export-statement',
    'partner.set-rank',
    'partner.suspend',
    'partner.terminate',
  ],
  participation: ['participation.cancel', 'participation.confirm-transfer'],
  pool: ['pool.export'],
  payout: [
    'payout.approve',
    'payout.cancel',
    'payout.complete',
    'payout.export',
    'payout.process',
    'payout.read-destination',
    'payout.reject',
  ],
  'payment-refund': ['payment-refund.read-destination', 'payment-refund.settle'],
  process: ['operation.abandon', 'operation.retry'],
  product: [
    'product.add-image',
    'product.add-variant',
    'product.create',
    'product.delete',
    'product.delete-image',
    'product.delete-variant',
    'product.update',
    'product.update-image',
    'product.update-variant',
  ],
  provider: [
    'provider.create',
    'provider.enter-payment',
    'provider.rotate-secret',
    'provider.update',
    'provider.write-off',
  ],
  reconciliation: ['reconciliation.start'],
  'reconciliation-difference': ['reconciliation-difference.resolve'],
  refund: ['refund.approve', 'refund.reject'],
  review: ['review.publish', 'review.reject', 'review.respond'],
  'shipping-method': ['shipping-method.create', 'shipping-method.update', 'shipping-method.delete'],
  strategy: [
    'strategy.add-document',
    'strategy.change-image',
    'strategy.create',
    'strategy.delete-document',
    'strategy.update',
  ],
  'tax-rate': ['tax-rate.delete', 'tax-rate.set'],
  'top-up': ['top-up.confirm-transfer'],
  user: [
    'user.activate',
    'user.ban',
    'user.reset-two-factor',
    'user.suspend',
    'user.suspension-ended',
    'user.unban',
    'user.update',
  ],
  'wallet-withdrawal': [
    'wallet-withdrawal.approve',
    'wallet-withdrawal.cancel',
    'wallet-withdrawal.complete',
    'wallet-withdrawal.export',
    'wallet-withdrawal.process',
    'wallet-withdrawal.read-destination',
    'wallet-withdrawal.reject',
  ],
  'webhook-event': ['webhook-event.discard', 'webhook-event.open', 'webhook-event.replay'],
  withdrawal: ['withdrawal.read-destination', 'withdrawal.settle'],
} as const;

export type AuditedEntity = keyof typeof AUDITED;

/** An action with the type of its entity. */
export type Audited = {
  [Entity in AuditedEntity]: { entityType: Entity; action: (typeof AUDITED)[Entity][number] };
}[AuditedEntity];

export type AuditedAction = Audited['action'];

export const AUDITED_ENTITIES = Object.keys(AUDITED) as AuditedEntity[];

export const AUDITED_ACTIONS: readonly AuditedAction[] = AUDITED_ENTITIES.flatMap(
  (entity) => AUDITED[entity],
);
