import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A process that used up its retries and waits for a person. */
@Table({ tableName: 'parked_processes', underscored: true, timestamps: false })
export class ParkedProcess extends Model<
  InferAttributes<ParkedProcess>,
  InferCreationAttributes<ParkedProcess>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare workflowId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare entityId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare reason: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare lastError: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare since: Date;

  /** The run of the process that made the entry. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare runId: string;

  /** The order that the process is about; null: none, or not known yet. */
  @Column(DataType.UUID)
  declare orderId: CreationOptional<string | null>;

  /** The person whose matter it is; null: nobody's, or not known yet. */
  @Column(DataType.UUID)
  declare userId: CreationOptional<string | null>;

  /** The summary of the process: what it is about, as people name it. */
  @Column(DataType.TEXT)
  declare label: CreationOptional<string | null>;

  /** RETRYING: the step is tried again, by an operator's decision or by the next run, and that try has not ended. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare state: CreationOptional<'PARKED' | 'RETRYING'>;

  /** The number of times that the step was tried, each with its own repetitions. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare attempts: CreationOptional<number>;

  @Column(DataType.DATE)
  declare retriedAt: CreationOptional<Date | null>;

  /** The request note of the last decision; it names the operator and holds their words. */
  @Column(DataType.UUID)
  declare noteId: CreationOptional<string | null>;
}
