import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type {
  ParticipationMethod,
  ParticipationOrigin,
  ParticipationPaymentStatus,
} from '../../../workflows/investment/participation/participation.rules';
import type { ParticipationStatus } from '../../../workflows/investment/participation/participation.states';
import type { PayoutFrequency, ReturnType } from '../../../workflows/investment/strategy/strategy.rules';

/** Money that a person has put into a strategy, with the terms that were in force then. */
@Table({ tableName: 'participations', underscored: true, timestamps: false })
export class Participation extends Model<
  InferAttributes<Participation>,
  InferCreationAttributes<Participation>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** As people name it, such as INV-2026-00000012. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare number: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare strategyId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerCode: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare origin: ParticipationOrigin;

  /** The matured participation whose money it is. */
  @Column(DataType.UUID)
  declare reinvestedFromId: CreationOptional<string | null>;

  /** The provider's own id of it, once reported. */
  @Column(DataType.TEXT)
  declare externalId: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: ParticipationStatus;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare durationDays: number;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare compounding: boolean;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare autoReinvest: boolean;

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
  declare lockDays: number;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare earlyWithdrawalAllowed: boolean;

  @Column(DataType.INTEGER)
  declare earlyWithdrawalPenaltyBp: CreationOptional<number | null>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare commissionBp: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare careerPointsBp: number;

  /** Null where nothing was paid here. */
  @Column(DataType.TEXT)
  declare paymentMethod: CreationOptional<ParticipationMethod | null>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentStatus: ParticipationPaymentStatus;

  @Column(DataType.DATE)
  declare paymentExpiresAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare paidAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare startedAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare maturesAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare endedAt: CreationOptional<Date | null>;

  /** Principal that its provider has paid out while it runs. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare withdrawnMinor: CreationOptional<number>;

  /** Sum of its PROFIT transactions. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare earnedMinor: CreationOptional<number>;

  /** The provider's last word on its value; null: none. */
  @Column(DataType.BIGINT)
  declare reportedValueMinor: CreationOptional<number | null>;

  /** When that was said; an older word does not replace it. */
  @Column(DataType.DATE)
  declare valueReportedAt: CreationOptional<Date | null>;

  /** When its provider last said that it matures at `maturesAt`; null: never. */
  @Column(DataType.DATE)
  declare maturityReportedAt: CreationOptional<Date | null>;

  /** The time of the report by which its provider ended it; null where it ended here. */
  @Column(DataType.DATE)
  declare payoutReportedAt: CreationOptional<Date | null>;

  /** The provider's id of the report that ended it, or that confirmed its end here; null: none has. */
  @Column(DataType.TEXT)
  declare payoutExternalId: CreationOptional<string | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
