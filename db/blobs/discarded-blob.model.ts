import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A blob that no row needs: one that was replaced, or one whose row is still to be written. */
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
