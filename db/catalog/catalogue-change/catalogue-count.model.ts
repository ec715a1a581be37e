import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The number of products that visitors see in one category (nil UUID: in no category); written by triggers. */
@Table({ tableName: 'catalogue_counts', underscored: true, timestamps: false })
export class CatalogueCount extends Model<
  InferAttributes<CatalogueCount>,
  InferCreationAttributes<CatalogueCount>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare categoryId: string;

  /** Counts only products with this tag; '' counts all. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare tag: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare products: number;
}
