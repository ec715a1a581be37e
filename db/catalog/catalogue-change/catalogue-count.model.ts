import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** How many products visitors may see in one category (the nil UUID: in none); written by triggers. */
@Table({ tableName: 'catalogue_counts', underscored: true, timestamps: false })
export class CatalogueCount extends Model<
  InferAttributes<CatalogueCount>,
  InferCreationAttributes<CatalogueCount>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare categoryId: string;

  /** Those with this tag; '' for all of them. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare tag: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare products: number;
}
