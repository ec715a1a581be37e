import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A change of stock, by an order or by a count. An event of an order moves an item at most once; movements are never altered. */
@Table({ tableName: 'stock_movements', underscored: true, timestamps: false })
export class StockMovement extends Model<
  InferAttributes<StockMovement>,
  InferCreationAttributes<StockMovement>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare stockItemId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: 'INITIAL' | 'RESERVE' | 'RELEASE' | 'SELL' | 'RESTOCK' | 'ADJUST';

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare availableDelta: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare reservedDelta: number;

  /** The order whose goods are moved; null of a count. */
  @Column(DataType.UUID)
  declare orderId: string | null;

  /** The refund of that order that restocked them; null of any other movement. */
  @Column(DataType.UUID)
  declare refundRequestId: string | null;

  /** The administrator who counted; null of the platform, and of what orders move. */
  @Column(DataType.UUID)
  declare countedBy: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
