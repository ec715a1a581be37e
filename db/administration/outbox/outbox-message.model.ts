import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/**
 * Why a message that was given up has no content: EXPIRED, it held a single-use secret; ERASED, it was kept long enough;
 * WITHDRAWN, what it says no longer holds.
 */
export type ContentGone = 'EXPIRED' | 'ERASED' | 'WITHDRAWN';

/** A message that is sent after the commit of its change, at least once. */
@Table({ tableName: 'outbox_messages', underscored: true, timestamps: false })
export class OutboxMessage extends Model<
  InferAttributes<OutboxMessage>,
  InferCreationAttributes<OutboxMessage>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: 'MAIL' | 'SMS';

  /** The business event's unique name, so that a repeated event queues one message. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare reference: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare recipient: string;

  /**
   * The sealed content, which may hold a secret that opens an account. Null once it is sent; one that was given up keeps it
   * for a while, unless it held a secret.
   */
  @Column(DataType.BLOB)
  declare sealedPayload: Buffer | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: 'WAITING' | 'SENT' | 'DEAD';

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare attempts: CreationOptional<number>;

  @Column(DataType.TEXT)
  declare lastError: string | null;

  /** The earliest time of the next try; a sender moves it forward while it sends. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare dueAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column(DataType.DATE)
  declare sentAt: Date | null;

  /** The time at which it was given up; null when it is not. */
  @Column(DataType.DATE)
  declare deadAt: CreationOptional<Date | null>;

  /** The time at which it was withdrawn after its first try: it is not tried again. */
  @Column(DataType.DATE)
  declare withdrawnAt: CreationOptional<Date | null>;

  /** Set of one that was given up and has no content; null of any other. */
  @Column(DataType.TEXT)
  declare contentGone: CreationOptional<ContentGone | null>;
}
