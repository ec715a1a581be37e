import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The sandbox provider's own books: a report it has yet to deliver to us, or has delivered. */
@Table({ tableName: 'sandbox_events', underscored: true, timestamps: false })
export class SandboxEvent extends Model<
  InferAttributes<SandboxEvent>,
  InferCreationAttributes<SandboxEvent>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare paymentId: string;

  /** How long after the payment the report goes out. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare delayMs: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column(DataType.DATE)
  declare deliveredAt: Date | null;
}
