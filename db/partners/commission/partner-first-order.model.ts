import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A buyer's first paid order, decided once. */
@Table({ tableName: 'partner_first_orders', underscored: true, timestamps: false })
export class PartnerFirstOrder extends Model<
  InferAttributes<PartnerFirstOrder>,
  InferCreationAttributes<PartnerFirstOrder>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare buyerId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare orderId: string;
}
