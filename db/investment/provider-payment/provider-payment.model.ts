import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import { PaymentDirection } from '../../../workflows/investment/provider-payment.rules';

/** A transfer between an investment provider and our bank, as an administrator saw it there. Never altered. */
@Table({ tableName: 'investment_provider_payments', underscored: true, timestamps: false })
export class ProviderPayment extends Model<
  InferAttributes<ProviderPayment>,
  InferCreationAttributes<ProviderPayment>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare providerCode: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare direction: PaymentDirection;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  /** The part of what was received that pays what had been written off. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare recoveredMinor: CreationOptional<number>;

  /** The part of what was received that is beyond the debt: a credit of the provider. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare creditedMinor: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare currency: string;

  /** The bank's reference, as it was entered first. It is unique however its letters and blanks are written. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare bankReference: string;

  @Column(DataType.TEXT)
  declare note: CreationOptional<string | null>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare enteredBy: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
