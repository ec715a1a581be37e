import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Countries that cost the same to ship to. */
@Table({ tableName: 'shipping_zones', underscored: true, timestamps: false })
export class ShippingZone extends Model<
  InferAttributes<ShippingZone>,
  InferCreationAttributes<ShippingZone>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;
}
