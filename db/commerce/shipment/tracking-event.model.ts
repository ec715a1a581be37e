import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { TrackingStatus } from '../../../workflows/commerce/shipment/tracking.rules';

/** An event of a parcel on its way. */
@Table({ tableName: 'tracking_events', underscored: true, timestamps: false })
export class TrackingEvent extends Model<
  InferAttributes<TrackingEvent>,
  InferCreationAttributes<TrackingEvent>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare orderId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: TrackingStatus;

  @Column(DataType.TEXT)
  declare location: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare description: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare happenedAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
