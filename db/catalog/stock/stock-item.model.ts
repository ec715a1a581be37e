import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** How many pieces of a product or variant there are, free and promised to orders. */
@Table({ tableName: 'stock_items', underscored: true, timestamps: false })
export class StockItem extends Model<InferAttributes<StockItem>, InferCreationAttributes<StockItem>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare productId: string;

  @Column(DataType.UUID)
  declare variantId: string | null;

  /** Pieces anyone may still order. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare available: number;

  /** Pieces promised to unfinished orders. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare reserved: CreationOptional<number>;

  /** Whether nobody may order of it any more: its variant was taken out of the shop. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare withdrawn: CreationOptional<boolean>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
