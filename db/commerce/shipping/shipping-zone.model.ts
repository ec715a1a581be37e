import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A group of countries with the same shipping prices. */
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
