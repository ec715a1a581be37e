import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** What a provider reported, kept as it came before anything is made of it. */
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

  /** As received, byte for byte: the signature was over these. Null some time after it was dealt with. */
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

  /** When its process was started; null while it is only stored. */
  @Column(DataType.DATE)
  declare startedAt: Date | null;

  @Column(DataType.DATE)
  declare processedAt: Date | null;
}
