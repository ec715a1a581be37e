import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { TopUpMethod, TopUpPaymentStatus } from '../../../workflows/ledger/top-up/top-up.rules';
import type { TopUpStatus } from '../../../workflows/ledger/top-up/top-up.states';

/** Money that a user pays into their wallet. */
@Table({ tableName: 'top_ups', underscored: true, timestamps: false })
export class TopUp extends Model<InferAttributes<TopUp>, InferCreationAttributes<TopUp>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  /** As people name it, such as TOP-2026-00000012. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare number: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: TopUpStatus;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** The method that was requested; of a paid one that by which it was paid. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentMethod: TopUpMethod;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare paymentStatus: TopUpPaymentStatus;

  /** The end of the time to pay it. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare paymentExpiresAt: Date;

  @Column(DataType.DATE)
  declare paidAt: CreationOptional<Date | null>;

  @Column(DataType.DATE)
  declare endedAt: CreationOptional<Date | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
