import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A coupon that the buyer added to a cart. */
@Table({ tableName: 'cart_coupons', underscored: true, timestamps: false })
export class CartCoupon extends Model<InferAttributes<CartCoupon>, InferCreationAttributes<CartCoupon>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare cartId: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare couponId: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare addedAt: Date;

  /** The discount that the cart last showed; null when it showed none. */
  @Column(DataType.BIGINT)
  declare shownDiscountMinor: number | null;
}
