import type { QueryInterface } from 'sequelize';

/** What the cart last showed a coupon to take off; null when it showed that the coupon does not apply, or nothing yet. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query('ALTER TABLE cart_coupons ADD COLUMN shown_discount_minor bigint');
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query('ALTER TABLE cart_coupons DROP COLUMN shown_discount_minor');
}
