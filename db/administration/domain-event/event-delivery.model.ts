import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { Consumer, EventType } from '../../../workflows/administration/domain-event/consumers.rules';

/** An event that a consumer has not applied. It is deleted in the transaction that applies it. */
@Table({ tableName: 'event_deliveries', underscored: true, timestamps: false })
export class EventDelivery extends Model<
  InferAttributes<EventDelivery>,
  InferCreationAttributes<EventDelivery>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare consumer: Consumer;

  /** Of the event. */
  @Column({ type: DataType.BIGINT, primaryKey: true })
  declare position: number;

  /** Of the event; those of one entity are applied in the order of their positions. */
  @Column({ type: DataType.UUID, allowNull: false })
  declare entityId: string;

  /** Of the event. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: EventType;

  /** Of the event. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare occurredAt: Date;

  /** PARKED: it waits for a person, and so do later events of its entity. DEAD: given up; they go on. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare state: CreationOptional<'DUE' | 'PARKED' | 'DEAD'>;

  /** Of one that was given up with an earlier event, the position of that one. */
  @Column(DataType.BIGINT)
  declare deadWith: CreationOptional<number | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare stateSince: CreationOptional<Date>;

  /** Failed tries to apply it. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare attempts: CreationOptional<number>;

  /** The time from which it is applied; of one that is parked, the time at which its process was last looked for. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare dueAt: CreationOptional<Date>;

  @Column(DataType.TEXT)
  declare lastError: CreationOptional<string | null>;
}
