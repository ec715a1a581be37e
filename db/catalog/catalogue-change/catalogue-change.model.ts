import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The changes of one transaction to what visitors see; written by triggers. */
@Table({ tableName: 'catalogue_changes', underscored: true, timestamps: false })
export class CatalogueChange extends Model<
  InferAttributes<CatalogueChange>,
  InferCreationAttributes<CatalogueChange>
> {
  @Column({ type: DataType.BIGINT, primaryKey: true })
  declare transactionId: number;

  /** The tags of the answers that became stale, spelled as in `catalogueTags`. */
  @Column({ type: DataType.ARRAY(DataType.TEXT), allowNull: false })
  declare tags: string[];

  @Column({ type: DataType.DATE, allowNull: false })
  declare changedAt: Date;
}
