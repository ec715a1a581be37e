import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { DifferenceKind } from '../../../workflows/investment/reconciliation/difference.rules';

/** A difference between what a provider reported and what is held here. */
@Table({ tableName: 'investment_differences', underscored: true, timestamps: false })
export class InvestmentDifference extends Model<
  InferAttributes<InvestmentDifference>,
  InferCreationAttributes<InvestmentDifference>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** Null: no participation here is the investment that the provider reported. */
  @Column(DataType.UUID)
  declare participationId: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerCode: string;

  /** The provider's id of the investment, where it has reported one. */
  @Column(DataType.TEXT)
  declare investmentExternalId: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: DifferenceKind;

  @Column(DataType.TEXT)
  declare currency: CreationOptional<string | null>;

  @Column(DataType.BIGINT)
  declare heldMinor: CreationOptional<number | null>;

  @Column(DataType.BIGINT)
  declare reportedMinor: CreationOptional<number | null>;

  /** All that was reported of an unknown investment, in major units by type, to see whether it has changed. */
  @Column(DataType.JSONB)
  declare reportedSums: CreationOptional<Record<string, unknown> | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare foundAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare lastSeenAt: Date;

  @Column(DataType.DATE)
  declare resolvedAt: CreationOptional<Date | null>;

  /** When a person said that it stays as it is; null: nobody did, or what it is about has changed since. */
  @Column(DataType.DATE)
  declare acceptedAt: CreationOptional<Date | null>;

  @Column(DataType.UUID)
  declare acceptedBy: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare acceptedBecause: CreationOptional<string | null>;
}
