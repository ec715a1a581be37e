import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { WithdrawalMethod } from '../../../workflows/investment/withdrawal/withdrawal.rules';
import type { WithdrawalStatus } from '../../../workflows/investment/withdrawal/withdrawal.states';
import type { UnprovenAttempt } from '../../../workflows/commerce/payout/transfer-out.rules';

/** The payout of a participation that its owner has withdrawn. */
@Table({ tableName: 'investment_withdrawals', underscored: true, timestamps: false })
export class InvestmentWithdrawal extends Model<
  InferAttributes<InvestmentWithdrawal>,
  InferCreationAttributes<InvestmentWithdrawal>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare participationId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare method: WithdrawalMethod;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: WithdrawalStatus;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare principalMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare returnsMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare penaltyMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare netMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** The destination of the money, sealed; null for BALANCE, and some time after it is over. */
  @Column(DataType.BLOB)
  declare details: CreationOptional<Buffer | null>;

  @Column(DataType.TEXT)
  declare maskedDetails: CreationOptional<string | null>;

  /** The code of the payout provider; null if no money leaves the platform. */
  @Column(DataType.TEXT)
  declare provider: CreationOptional<string | null>;

  /** The provider's id of the transfer, or our bank's reference of it. */
  @Column(DataType.TEXT)
  declare transferReference: CreationOptional<string | null>;

  /** Transfers begun; a new one begins only after a certain refusal. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare sendings: CreationOptional<number>;

  /** The last time its provider was asked to send it; null: certainly never. */
  @Column(DataType.DATE)
  declare askedAt: CreationOptional<Date | null>;

  /** The provider that was asked then. */
  @Column(DataType.TEXT)
  declare askedProvider: CreationOptional<string | null>;

  /** The attempts that ended without the word of their provider. */
  @Column({ type: DataType.JSONB, allowNull: false })
  declare unproven: CreationOptional<UnprovenAttempt[]>;

  @Column(DataType.TEXT)
  declare refusedBecause: CreationOptional<string | null>;

  /** The administrator who settled a transfer from our bank account, and the note of it. */
  @Column(DataType.UUID)
  declare settledBy: CreationOptional<string | null>;

  @Column(DataType.UUID)
  declare settlementId: CreationOptional<string | null>;

  /** ISO 8601 date. */
  @Column({ type: DataType.DATEONLY, allowNull: false })
  declare estimatedOn: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column(DataType.DATE)
  declare endedAt: CreationOptional<Date | null>;
}
