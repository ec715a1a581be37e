import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A note about an order, by an administrator for other administrators. */
@Table({ tableName: 'order_internal_notes', underscored: true, timestamps: false })
export class OrderInternalNote extends Model<
  InferAttributes<OrderInternalNote>,
  InferCreationAttributes<OrderInternalNote>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare orderId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare note: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare createdBy: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
