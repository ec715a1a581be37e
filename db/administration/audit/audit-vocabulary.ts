/** Every action that audit records tell of. The type of its entity is the part before the dot. */
export const AUDITED_ACTIONS = [
  'analytics.export',
  'bank-file.make',
  'bank-file.read',
  'bank-file.refuse-transfer',
  'bank-file.report',
  'bank-file.withdraw',
  'category.create',
  'category.update',
  'category.delete',
  'commission.adjust',
  'commission.export',
  'coupon.create',
  'coupon.update',
  'coupon.delete',
  'investment-category.create',
  'investment-category.update',
  'investment-difference.accept',
  'kyc.allow-resubmission',
  'kyc.approve',
  'kyc.claim',
  'kyc.open',
  'kyc.open-file',
  'kyc.reject',
  'kyc.release',
  'kyc.request-info',
  'message.resend',
  'order.add-tracking-event',
  'order.cancel',
  'order.confirm-transfer',
  'order.describe',
  'order.export',
  'order.move',
  'order.refund',
  'entrance.confirm-transfer',
  'event.retry',
  'partner.activate',
  'partner.export-statement',
  'partner.set-rank',
  'partner.suspend',
  'partner.terminate',
  'participation.cancel',
  'participation.confirm-transfer',
  'pool.export',
  'payout.approve',
  'payout.cancel',
  'payout.complete',
  'payout.export',
  'payout.process',
  'payout.read-destination',
  'payout.reject',
  'payment-refund.read-destination',
  'payment-refund.settle',
  'operation.abandon',
  'operation.retry',
  'product.add-image',
  'product.add-variant',
  'product.create',
  'product.delete',
  'product.delete-image',
  'product.delete-variant',
  'product.update',
  'product.update-image',
  'product.update-variant',
  'provider.create',
  'provider.enter-payment',
  'provider.rotate-secret',
  'provider.update',
  'reconciliation.start',
  'reconciliation-difference.resolve',
  'refund.approve',
  'refund.reject',
  'review.publish',
  'review.reject',
  'review.respond',
  'shipping-method.create',
  'shipping-method.update',
  'shipping-method.delete',
  'strategy.add-document',
  'strategy.change-image',
  'strategy.create',
  'strategy.delete-document',
  'strategy.update',
  'tax-rate.delete',
  'tax-rate.set',
  'top-up.confirm-transfer',
  'user.activate',
  'user.ban',
  'user.reset-two-factor',
  'user.suspend',
  'user.suspension-ended',
  'user.unban',
  'user.update',
  'wallet-withdrawal.approve',
  'wallet-withdrawal.cancel',
  'wallet-withdrawal.complete',
  'wallet-withdrawal.export',
  'wallet-withdrawal.process',
  'wallet-withdrawal.read-destination',
  'wallet-withdrawal.reject',
  'webhook-event.discard',
  'webhook-event.open',
  'webhook-event.replay',
  'withdrawal.read-destination',
  'withdrawal.settle',
] as const;

export type AuditedAction = (typeof AUDITED_ACTIONS)[number];

type Prefix<Action extends string> = Action extends `${infer Before}.${string}` ? Before : never;

/** An operation is a decision on a process. */
type EntityOf<Action extends string> = Action extends `operation.${string}` ? 'process' : Prefix<Action>;

/** A type of entity. */
export type AuditedEntity = EntityOf<AuditedAction>;

/** The type of the entity that an action is on. */
export function entityOf(action: AuditedAction): AuditedEntity {
  const prefix = action.slice(0, action.indexOf('.')) as Prefix<AuditedAction>;
  return prefix === 'operation' ? 'process' : prefix;
}

export const AUDITED_ENTITIES: readonly AuditedEntity[] = [...new Set(AUDITED_ACTIONS.map(entityOf))];

/** The actions on a type of entity. */
export const actionsOn = (entity: AuditedEntity): AuditedAction[] =>
  AUDITED_ACTIONS.filter((action) => entityOf(action) === entity);
