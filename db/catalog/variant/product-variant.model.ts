import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A variant of a product, such as one size or colour, with its own price and stock. */
@Table({ tableName: 'product_variants', underscored: true, timestamps: false })
export class ProductVariant extends Model<
  InferAttributes<ProductVariant>,
  InferCreationAttributes<ProductVariant>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare productId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare sku: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare priceMinor: number;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare attributes: CreationOptional<Record<string, string>>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare position: CreationOptional<number>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  /** The time of its deletion, which is final. */
  @Column(DataType.DATE)
  declare deletedAt: Date | null;
}
