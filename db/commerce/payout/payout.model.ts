import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import type { PayoutStatus } from '../../../workflows/commerce/payout/payout.states';
import type { UnprovenAttempt } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { PayoutMethod } from '../../../workflows/identity/user/user.rules';

/** Money that leaves a partner's balance or a wallet. */
@Table({ tableName: 'payouts', underscored: true, timestamps: false })
export class Payout extends Model<InferAttributes<Payout>, InferCreationAttributes<Payout>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: PayoutKind;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  /** Null of a wallet. */
  @Column(DataType.UUID)
  declare partnerId: string | null;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare method: PayoutMethod;

  /** The destination, sealed when it was requested; null once it was rejected or cancelled, and some time after it was sent. */
  @Column(DataType.BLOB)
  declare details: Buffer | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare maskedDetails: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: PayoutStatus;

  /** The code of its payout provider, while it is PROCESSING and after it. */
  @Column(DataType.TEXT)
  declare provider: CreationOptional<string | null>;

  /** Transfers begun; a new one begins only after a certain refusal. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare sendings: CreationOptional<number>;

  /** The last time that the last transfer was requested from a provider; null: never, or it was certainly refused. */
  @Column(DataType.DATE)
  declare askedAt: CreationOptional<Date | null>;

  /** The provider that was asked then. */
  @Column(DataType.TEXT)
  declare askedProvider: CreationOptional<string | null>;

  /** The attempts that ended without the word of their provider. */
  @Column({ type: DataType.JSONB, allowNull: false })
  declare unproven: CreationOptional<UnprovenAttempt[]>;

  /** Entered by the administrator who processed it. */
  @Column(DataType.TEXT)
  declare externalReference: CreationOptional<string | null>;

  /** The provider's id of the transfer that has arrived, or our bank's reference of it. */
  @Column(DataType.TEXT)
  declare transferReference: CreationOptional<string | null>;

  @Column(DataType.UUID)
  declare approvedBy: CreationOptional<string | null>;

  @Column(DataType.DATE)
  declare approvedAt: CreationOptional<Date | null>;

  @Column(DataType.UUID)
  declare processedBy: CreationOptional<string | null>;

  @Column(DataType.DATE)
  declare processedAt: CreationOptional<Date | null>;

  /** The person who rejected or cancelled it; null if a chargeback ended it. */
  @Column(DataType.UUID)
  declare decidedBy: CreationOptional<string | null>;

  /** The chargeback that ended it instead of a person. */
  @Column(DataType.UUID)
  declare chargebackId: CreationOptional<string | null>;

  @Column(DataType.TEXT)
  declare rejectionReason: CreationOptional<string | null>;

  /** False if the amount of a rejected one is forfeited. */
  @Column(DataType.BOOLEAN)
  declare fundsReturned: CreationOptional<boolean | null>;

  @Column(DataType.TEXT)
  declare lastRefusal: CreationOptional<string | null>;

  /** The administrator who settled a transfer from our bank account. */
  @Column(DataType.UUID)
  declare settledBy: CreationOptional<string | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column(DataType.DATE)
  declare endedAt: CreationOptional<Date | null>;
}
