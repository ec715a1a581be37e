import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** What one transaction changed of what visitors see; written by triggers. */
@Table({ tableName: 'catalogue_changes', underscored: true, timestamps: false })
export class CatalogueChange extends Model<
  InferAttributes<CatalogueChange>,
  InferCreationAttributes<CatalogueChange>
> {
  @Column({ type: DataType.BIGINT, primaryKey: true })
  declare transactionId: number;

  /** What no longer holds; `catalogueTags` says how they are written. */
  @Column({ type: DataType.ARRAY(DataType.TEXT), allowNull: false })
  declare tags: string[];

  @Column({ type: DataType.DATE, allowNull: false })
  declare changedAt: Date;
}
