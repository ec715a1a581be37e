import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { ReportedType } from '../../../workflows/investment/reconciliation/difference.rules';

/** A movement as a provider reported it, once by the provider's own id of it. */
@Table({ tableName: 'investment_reports', underscored: true, timestamps: false })
export class InvestmentReport extends Model<
  InferAttributes<InvestmentReport>,
  InferCreationAttributes<InvestmentReport>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare providerCode: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare type: ReportedType;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare externalId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare investmentExternalId: string;

  /** In major units, as reported; a penalty is a part of it. */
  @Column({ type: 'NUMERIC', allowNull: false })
  declare amount: string;

  /** Kept by the provider of what it pays out, besides the amount, in major units. */
  @Column({ type: 'NUMERIC', allowNull: false })
  declare penalty: CreationOptional<string>;

  /** Null where the report names none; it is then that of the investment. */
  @Column(DataType.TEXT)
  declare currency: CreationOptional<string | null>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare webhookEventId: string;

  /** When it came. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare reportedAt: Date;

  /** The time of the report itself, never later than it came. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare occurredAt: Date;
}
