import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The first order that a customer paid. The database decides it when the payment commits. */
@Table({ tableName: 'customer_first_orders', underscored: true, timestamps: false })
export class CustomerFirstOrder extends Model<
  InferAttributes<CustomerFirstOrder>,
  InferCreationAttributes<CustomerFirstOrder>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare orderId: string;
}
