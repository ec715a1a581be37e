import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

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

  @Column({ type: DataType.TEXT, allowNull: false })
  declare externalEventId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: string;

  /** The body as received, byte for byte, as it was signed. Null some time after it was applied. */
  @Column(DataType.TEXT)
  declare body: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare bodyHash: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: 'RECEIVED' | 'PROCESSED' | 'WAITING' | 'IGNORED' | 'DEAD';

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare attempts: CreationOptional<number>;

  @Column(DataType.TEXT)
  declare lastError: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare receivedAt: Date;

  /** When its process was started; null until then. */
  @Column(DataType.DATE)
  declare startedAt: Date | null;

  @Column(DataType.DATE)
  declare processedAt: Date | null;
}
