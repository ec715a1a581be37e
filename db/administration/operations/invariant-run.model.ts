import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { Broken } from '../../invariants/invariant';

/** One check of the invariants, and what it found broken. */
@Table({ tableName: 'invariant_runs', underscored: true, timestamps: false })
export class InvariantRun extends Model<
  InferAttributes<InvariantRun>,
  InferCreationAttributes<InvariantRun>
> {
  @Column({ type: DataType.DATE, primaryKey: true })
  declare checkedAt: Date;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare broken: Broken[];

  /** Whether it looked at every process, and not only at what changed. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare whole: CreationOptional<boolean>;
}
