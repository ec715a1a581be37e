import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { PaymentReportType } from '../../../workflows/commerce/payment/payment-report.rules';

/** A report that the sandbox provider has delivered to us, or has yet to deliver: the provider's own record. */
@Table({ tableName: 'sandbox_events', underscored: true, timestamps: false })
export class SandboxEvent extends Model<
  InferAttributes<SandboxEvent>,
  InferCreationAttributes<SandboxEvent>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: PaymentReportType;

  @Column({ type: DataType.UUID, allowNull: false })
  declare paymentId: string;

  /** The delay of the report after the payment. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare delayMs: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column(DataType.DATE)
  declare deliveredAt: Date | null;
}
