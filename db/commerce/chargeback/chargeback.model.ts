import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { ChargebackStatus } from '../../../workflows/commerce/payment/payment-report.rules';

/** Money that a buyer's bank took back from us, and perhaps returned. */
@Table({ tableName: 'chargebacks', underscored: true, timestamps: false })
export class Chargeback extends Model<InferAttributes<Chargeback>, InferCreationAttributes<Chargeback>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare captureId: string;

  /** Null for anything else. */
  @Column(DataType.UUID)
  declare orderId: string | null;

  /** Null for anything else. */
  @Column(DataType.UUID)
  declare participationId: CreationOptional<string | null>;

  /** The entrance fee of a partner; null for anything else. */
  @Column(DataType.UUID)
  declare entranceId: CreationOptional<string | null>;

  /** Money that a user pays into their wallet; null for anything else. */
  @Column(DataType.UUID)
  declare topUpId: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare provider: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerChargebackId: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: ChargebackStatus;

  /** The sum of the provider's fees for it. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare feeMinor: CreationOptional<number>;

  /** The currency in which the provider keeps our account; null where it took no fee. */
  @Column(DataType.TEXT)
  declare feeCurrency: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
