import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A blob that no row refers to: a replaced one, or one whose row is not written yet. */
@Table({ tableName: 'discarded_blobs', underscored: true, timestamps: false })
export class DiscardedBlob extends Model<
  InferAttributes<DiscardedBlob>,
  InferCreationAttributes<DiscardedBlob>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare name: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare discardedAt: Date;
}
