import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';

/** The time at which an order reached a status, and the user who moved it. */
@Table({ tableName: 'order_status_changes', underscored: true, timestamps: false })
export class OrderStatusChange extends Model<
  InferAttributes<OrderStatusChange>,
  InferCreationAttributes<OrderStatusChange>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare orderId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: OrderStatus;

  @Column(DataType.TEXT)
  declare note: string | null;

  @Column(DataType.UUID)
  declare changedBy: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare changedAt: Date;

  /** The note of the request for the move; null when none was made. */
  @Column(DataType.UUID)
  declare noteId: string | null;
}
