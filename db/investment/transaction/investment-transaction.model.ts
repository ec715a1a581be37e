import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { InvestmentTransactionType } from '../../../workflows/investment/participation/participation.rules';

/** A movement of a participation. Never altered. */
@Table({ tableName: 'investment_transactions', underscored: true, timestamps: false })
export class InvestmentTransaction extends Model<
  InferAttributes<InvestmentTransaction>,
  InferCreationAttributes<InvestmentTransaction>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare participationId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: InvestmentTransactionType;

  /** Above zero, but for a loss. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerCode: string;

  /** The provider's own id of the movement. */
  @Column(DataType.TEXT)
  declare externalId: CreationOptional<string | null>;

  @Column(DataType.UUID)
  declare webhookEventId: CreationOptional<string | null>;

  /** The period of a profit, as the provider names it. */
  @Column(DataType.TEXT)
  declare period: CreationOptional<string | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare occurredAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
