import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The debt of an investment provider to us, as the last reconciliation added it up. Below zero: we owe it. */
@Table({ tableName: 'investment_provider_debts', underscored: true, timestamps: false })
export class InvestmentProviderDebt extends Model<
  InferAttributes<InvestmentProviderDebt>,
  InferCreationAttributes<InvestmentProviderDebt>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare providerCode: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare currency: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare owedMinor: number;

  /** Since when it has been beyond what a provider may owe; null: it is within. */
  @Column(DataType.DATE)
  declare beyondSince: CreationOptional<Date | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare countedAt: Date;
}
