import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The number of uses of a coupon by one user. */
@Table({ tableName: 'coupon_uses', underscored: true, timestamps: false })
export class CouponUse extends Model<InferAttributes<CouponUse>, InferCreationAttributes<CouponUse>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare couponId: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare uses: number;
}
