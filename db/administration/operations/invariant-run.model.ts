import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { Broken } from '../../invariants/invariant';

/** One check of the invariants and its findings. */
@Table({ tableName: 'invariant_runs', underscored: true, timestamps: false })
export class InvariantRun extends Model<
  InferAttributes<InvariantRun>,
  InferCreationAttributes<InvariantRun>
> {
  @Column({ type: DataType.DATE, primaryKey: true })
  declare checkedAt: Date;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare broken: Broken[];

  /** True for a check of every process, not only of changed ones. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare whole: CreationOptional<boolean>;
}
