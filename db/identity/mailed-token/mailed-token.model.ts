import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A mailed secret, which proves that its presenter reads the mailbox. Only its hash is stored. */
@Table({ tableName: 'mailed_tokens', underscored: true, timestamps: false })
export class MailedToken extends Model<InferAttributes<MailedToken>, InferCreationAttributes<MailedToken>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare purpose:
    'VERIFY_EMAIL' | 'RESET_PASSWORD' | 'UNDO_TWO_FACTOR_ON' | 'UNDO_TWO_FACTOR_OFF' | 'UNDO_DELETION';

  @Column({ type: DataType.TEXT, allowNull: false })
  declare tokenHash: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare expiresAt: Date;

  @Column(DataType.DATE)
  declare usedAt: CreationOptional<Date | null>;

  /** The request that used it; null if it had no id. */
  @Column(DataType.UUID)
  declare usedBy: CreationOptional<string | null>;

  /** When another token replaced it, or its purpose was settled by other means. */
  @Column(DataType.DATE)
  declare supersededAt: CreationOptional<Date | null>;

  /** The state that undoing restores, such as a second factor, sealed for this token; deleted with its use. */
  @Column(DataType.BLOB)
  declare undoSealed: CreationOptional<Buffer | null>;
}
