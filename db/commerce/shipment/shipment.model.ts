import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The parcel of an order; it may be known before it leaves. */
@Table({ tableName: 'shipments', underscored: true, timestamps: false })
export class Shipment extends Model<InferAttributes<Shipment>, InferCreationAttributes<Shipment>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare orderId: string;

  @Column(DataType.TEXT)
  declare trackingNumber: string | null;

  /** As set by an administrator; null: it follows from the number by the carrier's template. */
  @Column(DataType.TEXT)
  declare trackingUrl: string | null;

  @Column(DataType.DATE)
  declare shippedAt: Date | null;

  @Column(DataType.DATE)
  declare deliveredAt: Date | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
