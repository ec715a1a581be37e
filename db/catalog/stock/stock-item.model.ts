import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The units of a product or variant: those that may be ordered and those reserved for orders. */
@Table({ tableName: 'stock_items', underscored: true, timestamps: false })
export class StockItem extends Model<InferAttributes<StockItem>, InferCreationAttributes<StockItem>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare productId: string;

  @Column(DataType.UUID)
  declare variantId: string | null;

  /** Units that may be ordered. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare available: number;

  /** Units reserved for unfinished orders. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare reserved: CreationOptional<number>;

  /** True if it can no longer be ordered, since its variant is deleted. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare withdrawn: CreationOptional<boolean>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
