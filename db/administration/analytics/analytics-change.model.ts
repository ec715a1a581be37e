import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { Figure } from '../../../workflows/administration/analytics/figures.rules';

/** A fact that is not yet in the rollups. The database writes it in the transaction of its change. */
@Table({ tableName: 'analytics_changes', underscored: true, timestamps: false })
export class AnalyticsChange extends Model<
  InferAttributes<AnalyticsChange>,
  InferCreationAttributes<AnalyticsChange>
> {
  @Column({ type: DataType.BIGINT, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare figure: Figure;

  /** The quarter of an hour in which it happened. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare startsAt: Date;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare part: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare occurrences: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare seconds: number;
}
