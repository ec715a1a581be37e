import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type {
  CommissionSource,
  CommissionType,
} from '../../../workflows/partners/commission/commission.rules';
import type { CommissionStatus } from '../../../workflows/partners/commission/commission.states';

/** The earning of a partner by one sale, profit, entrance, rank or pool, or the part of it that was taken back. */
@Table({ tableName: 'partner_commissions', underscored: true, timestamps: false })
export class Commission extends Model<InferAttributes<Commission>, InferCreationAttributes<Commission>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare partnerId: string;

  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare type: CommissionType;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare sourceType: CommissionSource;

  /** The order, the deposit, the profit, the entrance or the pool's run; of a rank bonus the partner. */
  @Column({ type: DataType.UUID, allowNull: false })
  declare sourceId: string;

  /** Counted from the sale's sponsor, who is 1; of a rank bonus the rank's level, of a pool 0. */
  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare level: number;

  @Column(DataType.UUID)
  declare buyerId: string | null;

  /** The sponsor of the sale. */
  @Column(DataType.UUID)
  declare sourcePartnerId: string | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare programmeVersion: number;

  /** The partner's rank at that time. */
  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare rankLevel: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare baseMinor: number;

  /** The sum that the rate was applied to, in ten-thousandths of a minor unit. */
  @Column({ type: 'numeric(30,0)', allowNull: false })
  declare commissionWeight: string;

  /** Of a differential: less the highest rate met below. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare rateBp: number;

  /** Of a differential: the highest rate met below; else null. */
  @Column(DataType.INTEGER)
  declare metRateBp: number | null;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare grossMinor: number;

  /** After withholding and adjustments. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare netMinor: number;

  /** Hundredths of a point. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare points: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: CommissionStatus;

  @Column({ type: DataType.DATE, allowNull: false })
  declare maturesAt: Date;

  /** The state in which a refund or a lost chargeback found it that took it back as a whole; null of any other. */
  @Column(DataType.TEXT)
  declare reversedFrom: CreationOptional<Exclude<CommissionStatus, 'PAID' | 'REVERSED'> | null>;

  /** The commission of which this takes back a part; its amounts are below zero, or above where it restores one. */
  @Column(DataType.UUID)
  declare reversalOf: string | null;

  @Column(DataType.UUID)
  declare eventId: string | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare adjustments: CreationOptional<number>;

  @Column(DataType.UUID)
  declare adjustedBy: CreationOptional<string | null>;

  @Column(DataType.DATE)
  declare adjustedAt: CreationOptional<Date | null>;

  @Column(DataType.TEXT)
  declare adjustmentReason: CreationOptional<string | null>;

  /** The administrator who approved it before its time; null if the daily job did, and while it is held. */
  @Column(DataType.UUID)
  declare approvedBy: CreationOptional<string | null>;

  /** The time at which it left PENDING for the last time. */
  @Column(DataType.DATE)
  declare processedAt: CreationOptional<Date | null>;

  /** Null while it is not PAID, and of one that was paid before this was recorded. */
  @Column(DataType.DATE)
  declare paidAt: CreationOptional<Date | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
