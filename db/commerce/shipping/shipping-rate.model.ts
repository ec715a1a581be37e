import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The price of a shipping method in a zone. */
@Table({ tableName: 'shipping_rates', underscored: true, timestamps: false })
export class ShippingRate extends Model<
  InferAttributes<ShippingRate>,
  InferCreationAttributes<ShippingRate>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare methodId: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare zoneId: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare baseMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare perKgMinor: number;
}
