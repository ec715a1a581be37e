/** Everything that audit records tell of: the actions on each type of entity. Recording takes nothing else. */
export const AUDITED = {
  category: ['category.create', 'category.update', 'category.delete'],
  coupon: ['coupon.create', 'coupon.update', 'coupon.delete'],
  order: [
    'order.add-tracking-event',
    'order.cancel',
    'order.confirm-transfer',
    'order.describe',
    'order.export',
    'order.move',
    'order.refund',
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
  refund: ['refund.approve', 'refund.reject'],
  review: ['review.publish', 'review.reject', 'review.respond'],
  'shipping-method': ['shipping-method.create', 'shipping-method.update', 'shipping-method.delete'],
  'tax-rate': ['tax-rate.delete', 'tax-rate.set'],
  user: [
    'user.activate',
    'user.ban',
    'user.reset-two-factor',
    'user.suspend',
    'user.suspension-ended',
    'user.unban',
    'user.update',
  ],
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
