import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A picture of a product. */
@Table({ tableName: 'product_images', underscored: true, timestamps: false })
export class ProductImage extends Model<
  InferAttributes<ProductImage>,
  InferCreationAttributes<ProductImage>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare productId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare url: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare thumbnailUrl: string;

  @Column(DataType.TEXT)
  declare alt: string | null;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isPrimary: CreationOptional<boolean>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare position: CreationOptional<number>;

  /** The blob of the picture; null for one that is stored elsewhere. */
  @Column(DataType.TEXT)
  declare mediaName: string | null;

  @Column(DataType.TEXT)
  declare thumbnailMediaName: string | null;
}
