import type { InferAttributes, InferCreationAttributes } from 'sequelize';
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
}
