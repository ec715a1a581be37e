import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A word or phrase that makes a review wait for an administrator. */
@Table({ tableName: 'blocked_words', underscored: true, timestamps: false })
export class BlockedWord extends Model<InferAttributes<BlockedWord>, InferCreationAttributes<BlockedWord>> {
  /** In lower case. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare word: string;
}
