import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { CouponValue } from '../../../workflows/commerce/order/pricing.rules';

/** A code that makes an order cheaper, and its conditions. */
@Table({ tableName: 'coupons', underscored: true, timestamps: false })
export class Coupon extends Model<InferAttributes<Coupon>, InferCreationAttributes<Coupon>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** In capitals. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare code: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: CouponValue['type'];

  /** For PERCENTAGE, in basis points. */
  @Column(DataType.INTEGER)
  declare percentageBp: number | null;

  /** For FIXED. */
  @Column(DataType.BIGINT)
  declare amountMinor: number | null;

  @Column(DataType.BIGINT)
  declare minSubtotalMinor: number | null;

  @Column(DataType.DATE)
  declare startsAt: Date | null;

  @Column(DataType.DATE)
  declare endsAt: Date | null;

  @Column(DataType.INTEGER)
  declare usageLimit: number | null;

  @Column(DataType.INTEGER)
  declare perUserLimit: number | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare usedCount: CreationOptional<number>;

  @Column({ type: DataType.ARRAY(DataType.UUID), allowNull: false })
  declare productIds: CreationOptional<string[]>;

  @Column({ type: DataType.ARRAY(DataType.UUID), allowNull: false })
  declare categoryIds: CreationOptional<string[]>;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isActive: CreationOptional<boolean>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;

  /** Set when it left the shop; orders keep their discount. */
  @Column(DataType.DATE)
  declare deletedAt: Date | null;
}
