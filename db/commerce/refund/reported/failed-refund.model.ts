import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A refund that its provider could not deliver, ours or made at the provider; final. */
@Table({ tableName: 'failed_refunds', underscored: true, timestamps: false })
export class FailedRefund extends Model<
  InferAttributes<FailedRefund>,
  InferCreationAttributes<FailedRefund>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare provider: string;

  /** The provider's id of it. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare providerRefundId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare captureId: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare failedAt: Date;
}
