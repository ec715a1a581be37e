import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { MovementOutcome } from '../../../workflows/commerce/webhook/report-subject.rules';
import type { WebhookEventStatus } from '../../../workflows/commerce/webhook/webhook-event.rules';

/** A provider's report, stored as it came before it is applied. */
@Table({ tableName: 'webhook_events', underscored: true, timestamps: false })
export class WebhookEvent extends Model<
  InferAttributes<WebhookEvent>,
  InferCreationAttributes<WebhookEvent>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare provider: string;

  /** The area whose provider sent it. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare kind: CreationOptional<'PAYMENT' | 'INVESTMENT'>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare externalEventId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: string;

  /** The sender's id of what it is about, as read when it came; null where it names none. */
  @Column(DataType.TEXT)
  declare subject: CreationOptional<string | null>;

  /** The sender's id of the money that it says has moved, as read when it came; null where it says so of none. */
  @Column(DataType.TEXT)
  declare movement: CreationOptional<string | null>;

  /** Its outcome of a payment or a chargeback, as read when it came; null for everything else. */
  @Column(DataType.TEXT)
  declare outcome: CreationOptional<MovementOutcome | null>;

  /** Of an investment, what it says has moved, in minor units, of a payout less what its provider kept; null where it says none. */
  @Column(DataType.BIGINT)
  declare amountMinor: CreationOptional<number | null>;

  /** The user whom it concerns, once that is known. */
  @Column(DataType.UUID)
  declare userId: CreationOptional<string | null>;

  /** The order whose payment it is about, once it was applied. */
  @Column(DataType.UUID)
  declare orderId: CreationOptional<string | null>;

  /** The body as received, byte for byte, as it was signed. Null some time after it was applied. */
  @Column(DataType.TEXT)
  declare body: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare bodyHash: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: WebhookEventStatus;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare attempts: CreationOptional<number>;

  /** The number of times a person had it applied again after it was DEAD; a part of its process's id. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare replays: CreationOptional<number>;

  @Column(DataType.TEXT)
  declare lastError: string | null;

  /** The provider's id of what a WAITING event is about; null for payments. */
  @Column(DataType.TEXT)
  declare waitsFor: CreationOptional<string | null>;

  /** When a person let amounts beyond the bounds through; null: nobody has. */
  @Column(DataType.DATE)
  declare confirmedAt: CreationOptional<Date | null>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare receivedAt: Date;

  /** When its process was started; null until then. */
  @Column(DataType.DATE)
  declare startedAt: Date | null;

  @Column(DataType.DATE)
  declare processedAt: Date | null;

  /** Sweeps that could not start its process, although they started others. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare startFailures: CreationOptional<number>;

  /** The sweep that could not start its process last; null: none. */
  @Column(DataType.DATE)
  declare startFailedAt: CreationOptional<Date | null>;

  /** When the reconciliation read it, if it is of an investment provider; null: not yet. */
  @Column(DataType.DATE)
  declare reconciledAt: CreationOptional<Date | null>;

  /** True if its user was erased before it was applied and reconciled; its text is deleted once it is. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isAboutErased: CreationOptional<boolean>;
}
