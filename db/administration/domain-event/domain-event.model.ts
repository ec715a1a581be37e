import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A business event that other areas act on; `takenAt` is set once they have. */
@Table({ tableName: 'domain_events', underscored: true, timestamps: false })
export class DomainEvent extends Model<InferAttributes<DomainEvent>, InferCreationAttributes<DomainEvent>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type:
    | 'order.paid'
    | 'refund.completed'
    | 'refund.charged_back'
    | 'chargeback.lost'
    | 'chargeback.returned'
    | 'kyc.submitted'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.expired'
    | 'investment.created'
    | 'profit.distributed'
    | 'partner.joined'
    | 'partner.activated'
    | 'partner.ranked'
    | 'entrance.paid';

  /** The business event's unique name, so that a repeated event is recorded once. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare reference: string;

  /** The id of the order, the verification, the participation or the partner; of a chargeback of an entrance fee that of the fee. */
  @Column({ type: DataType.UUID, allowNull: false })
  declare entityId: string;

  @Column({ type: DataType.JSONB, allowNull: false })
  declare data: Record<string, unknown>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare occurredAt: Date;

  @Column(DataType.DATE)
  declare takenAt: Date | null;

  /** Failed tries to take it. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare attempts: CreationOptional<number>;

  @Column(DataType.DATE)
  declare nextAttemptAt: CreationOptional<Date | null>;

  @Column(DataType.TEXT)
  declare lastError: CreationOptional<string | null>;

  /** The time at which it was given to a process of its own, which waits for a person. */
  @Column(DataType.DATE)
  declare parkedAt: CreationOptional<Date | null>;

  /** The time at which a person gave it up: it is not counted any more. */
  @Column(DataType.DATE)
  declare givenUpAt: CreationOptional<Date | null>;
}
