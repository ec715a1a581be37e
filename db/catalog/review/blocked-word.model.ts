import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A word, or several in a row, that lets a review wait for a person. */
@Table({ tableName: 'blocked_words', underscored: true, timestamps: false })
export class BlockedWord extends Model<InferAttributes<BlockedWord>, InferCreationAttributes<BlockedWord>> {
  /** In lower case. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare word: string;
}
