import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The money beyond what was paid here that the reports of a provider have promised to users on one day (UTC). */
@Table({ tableName: 'provider_day_totals', underscored: true, timestamps: false })
export class ProviderDayTotal extends Model<
  InferAttributes<ProviderDayTotal>,
  InferCreationAttributes<ProviderDayTotal>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare providerCode: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare currency: string;

  @Column({ type: DataType.DATEONLY, primaryKey: true })
  declare day: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare creditedMinor: number;
}
