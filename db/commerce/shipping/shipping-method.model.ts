import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A way to have goods delivered. */
@Table({ tableName: 'shipping_methods', underscored: true, timestamps: false })
export class ShippingMethod extends Model<
  InferAttributes<ShippingMethod>,
  InferCreationAttributes<ShippingMethod>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare carrier: string;

  @Column(DataType.TEXT)
  declare description: string | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare minDays: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare maxDays: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** The value of goods from which shipping is free; null: never. */
  @Column(DataType.BIGINT)
  declare freeThresholdMinor: number | null;

  /** The address of the parcel’s page, with a place for its number. */
  @Column(DataType.TEXT)
  declare trackingUrlTemplate: string | null;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isActive: CreationOptional<boolean>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare position: CreationOptional<number>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;

  /** Set when it left the shop; orders keep it. */
  @Column(DataType.DATE)
  declare deletedAt: Date | null;
}
