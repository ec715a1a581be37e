import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { Figure, SpanMinutes } from '../../../workflows/administration/analytics/figures.rules';

/** The sum of the facts of one figure in one span of time, in UTC. */
@Table({ tableName: 'analytics_rollups', underscored: true, timestamps: false })
export class AnalyticsRollup extends Model<
  InferAttributes<AnalyticsRollup>,
  InferCreationAttributes<AnalyticsRollup>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare figure: Figure;

  @Column({ type: DataType.INTEGER, primaryKey: true })
  declare spanMinutes: SpanMinutes;

  @Column({ type: DataType.DATE, primaryKey: true })
  declare startsAt: Date;

  /** Empty where it is about no money. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare currency: string;

  /** The value that the figure is divided by, such as a payment method; empty where it is not divided. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare part: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare occurrences: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare seconds: number;
}
