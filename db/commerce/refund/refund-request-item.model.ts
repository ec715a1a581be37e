import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** One line of a refund request: units of an order's line, with their money. */
@Table({ tableName: 'refund_request_items', underscored: true, timestamps: false })
export class RefundRequestItem extends Model<
  InferAttributes<RefundRequestItem>,
  InferCreationAttributes<RefundRequestItem>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare refundRequestId: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare orderItemId: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare quantity: number;

  /** After discount, before tax. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare goodsMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare taxMinor: number;
}
