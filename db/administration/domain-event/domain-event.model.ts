import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { EventType } from '../../../workflows/administration/domain-event/consumers.rules';

/** A business event that other areas act on; each has a delivery of it until then. */
@Table({ tableName: 'domain_events', underscored: true, timestamps: false })
export class DomainEvent extends Model<InferAttributes<DomainEvent>, InferCreationAttributes<DomainEvent>> {
  /** Rises from event to event of one entity. */
  @Column({ type: DataType.BIGINT, primaryKey: true, autoIncrement: true })
  declare position: CreationOptional<number>;

  @Column({ type: DataType.UUID, allowNull: false })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: EventType;

  /** The business event's unique name, so that a repeated event is recorded once. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare reference: string;

  /** The id of the order, the participation, the entrance fee, the partner or the verification. */
  @Column({ type: DataType.UUID, allowNull: false })
  declare entityId: string;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare data: Record<string, unknown>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare occurredAt: Date;
}
