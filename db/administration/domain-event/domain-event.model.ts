import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A business event that other areas act on; `takenAt` is set once they have. */
@Table({ tableName: 'domain_events', underscored: true, timestamps: false })
export class DomainEvent extends Model<InferAttributes<DomainEvent>, InferCreationAttributes<DomainEvent>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: 'order.paid' | 'refund.completed';

  /** The business event's unique name, so that a repeated event is recorded once. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare reference: string;

  /** The id of the order. */
  @Column({ type: DataType.UUID, allowNull: false })
  declare entityId: string;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare data: Record<string, unknown>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare occurredAt: Date;

  @Column(DataType.DATE)
  declare takenAt: Date | null;
}
