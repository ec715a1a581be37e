import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type {
  HistoricalReturn,
  PayoutFrequency,
  ReturnType,
  RiskLevel,
  StrategyStatus,
} from '../../../workflows/investment/strategy/strategy.rules';

/** A strategy that people can put money into. Rates and percentages are basis points. */
@Table({ tableName: 'investment_strategies', underscored: true, timestamps: false })
export class Strategy extends Model<InferAttributes<Strategy>, InferCreationAttributes<Strategy>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerCode: string;

  /** Its name at the provider. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare strategyCode: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare categoryId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare slug: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare shortDescription: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare description: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare returnMinBp: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare returnMaxBp: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare returnExpectedBp: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare returnType: ReturnType;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare payoutFrequency: PayoutFrequency;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare minDays: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare maxDays: number;

  /** Period in which an early withdrawal is penalised or refused. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare lockDays: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare minMinor: number;

  /** Null: no maximum. */
  @Column(DataType.BIGINT)
  declare maxMinor: CreationOptional<number | null>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** Null: unlimited. */
  @Column(DataType.BIGINT)
  declare totalCapacityMinor: CreationOptional<number | null>;

  /** Principal of pending and active participations. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare reservedMinor: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare riskLevel: RiskLevel;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare riskDisclosure: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: StrategyStatus;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare earlyWithdrawalAllowed: boolean;

  /** Of the principal; null: no early withdrawal in the lock period. */
  @Column(DataType.INTEGER)
  declare earlyWithdrawalPenaltyBp: CreationOptional<number | null>;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare compoundingAvailable: boolean;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare automaticReinvestment: boolean;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare commissionBp: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare careerPointsBp: number;

  /** By month, computed daily from the distributed profits; the oldest first. */
  @Column({ type: DataType.JSONB, allowNull: false })
  declare historicalReturns: CreationOptional<HistoricalReturn[]>;

  @Column(DataType.TEXT)
  declare imageUrl: CreationOptional<string | null>;

  /** The picture of `imageUrl`; null for one that is not stored here. */
  @Column(DataType.TEXT)
  declare imageMediaName: CreationOptional<string | null>;

  /** People who ever took part. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare totalParticipants: CreationOptional<number>;

  /** Principal of all participations that ever began. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare totalInvestedMinor: CreationOptional<number>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare activeParticipations: CreationOptional<number>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
