import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A run of a job, or one lane of it. */
@Table({ tableName: 'job_runs', underscored: true, timestamps: false })
export class JobRun extends Model<InferAttributes<JobRun>, InferCreationAttributes<JobRun>> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare job: string;

  /** The time for which it was started, in ISO 8601. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare run: string;

  @Column({ type: DataType.SMALLINT, primaryKey: true })
  declare lane: number;

  /** RUNNING also after a failure: another run of the same time goes on behind the cursor. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare state: 'RUNNING' | 'DONE';

  /** The key behind which the next chunk begins; null at the beginning and at the end. */
  @Column({ type: DataType.JSONB })
  declare cursor: unknown;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare done: CreationOptional<number>;

  /** The result of a job without chunks. */
  @Column(DataType.TEXT)
  declare words: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare startedAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;

  @Column(DataType.DATE)
  declare finishedAt: Date | null;
}
