import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A coupon that an order used. */
@Table({ tableName: 'order_coupons', underscored: true, timestamps: false })
export class OrderCoupon extends Model<InferAttributes<OrderCoupon>, InferCreationAttributes<OrderCoupon>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare orderId: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare couponId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare code: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare discountMinor: number;

  @Column(DataType.DATE)
  declare returnedAt: Date | null;
}
