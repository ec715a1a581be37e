import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A change of stock. Each business event moves an item at most once; movements are never altered. */
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

  /** The business event that caused the movement. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare reference: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
