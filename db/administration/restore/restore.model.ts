import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A restore of this database from a copy. */
@Table({ tableName: 'restores', underscored: true, timestamps: false })
export class Restore extends Model<InferAttributes<Restore>, InferCreationAttributes<Restore>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** The time at which the database was as the copy has it. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare copiedAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare restoredAt: Date;

  /** Null while no money is sent. */
  @Column(DataType.DATE)
  declare releasedAt: CreationOptional<Date | null>;

  /** The name of an operator. */
  @Column(DataType.TEXT)
  declare releasedBy: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare note: CreationOptional<string | null>;
}
