import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A message that a committed change owes somebody. It is sent after the commit, at least once. */
@Table({ tableName: 'outbox_messages', underscored: true, timestamps: false })
export class OutboxMessage extends Model<
  InferAttributes<OutboxMessage>,
  InferCreationAttributes<OutboxMessage>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: 'MAIL' | 'SMS';

  /** Names the business event, so that an event repeated sends nothing twice. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare reference: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare recipient: string;

  /** What messages of an earlier version say that still wait; new ones are sealed. */
  @Column(DataType.JSONB)
  declare payload: CreationOptional<Record<string, unknown> | null>;

  /** What it says, sealed: it may carry a secret that opens an account. Null once it is out or given up. */
  @Column(DataType.BLOB)
  declare sealedPayload: Buffer | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: 'WAITING' | 'SENT' | 'DEAD';

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare attempts: CreationOptional<number>;

  @Column(DataType.TEXT)
  declare lastError: string | null;

  /** Not to be sent before; a sender pushes it forward while it sends. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare dueAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column(DataType.DATE)
  declare sentAt: Date | null;
}
