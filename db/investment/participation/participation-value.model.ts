import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The value of a participation at a time, as its provider reported it. */
@Table({ tableName: 'participation_values', underscored: true, timestamps: false })
export class ParticipationValue extends Model<
  InferAttributes<ParticipationValue>,
  InferCreationAttributes<ParticipationValue>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare participationId: string;

  @Column({ type: DataType.DATE, primaryKey: true })
  declare reportedAt: Date;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare valueMinor: number;
}
