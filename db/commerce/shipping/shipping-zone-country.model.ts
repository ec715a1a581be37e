import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A country and its zone; a country has one zone at most. */
@Table({ tableName: 'shipping_zone_countries', underscored: true, timestamps: false })
export class ShippingZoneCountry extends Model<
  InferAttributes<ShippingZoneCountry>,
  InferCreationAttributes<ShippingZoneCountry>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare country: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare zoneId: string;
}
