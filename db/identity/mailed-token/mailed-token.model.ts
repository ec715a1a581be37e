import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A secret that was mailed to its owner, who proves by it that the mail was read. Only its hash is kept. */
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

  /** The request that used it; null where that is not told apart from others. */
  @Column(DataType.UUID)
  declare usedBy: CreationOptional<string | null>;

  /** When another took its place, or what it was for was settled otherwise. */
  @Column(DataType.DATE)
  declare supersededAt: CreationOptional<Date | null>;

  /** What undoing brings back, such as a second factor that was turned off, sealed for this token; gone with its use. */
  @Column(DataType.BLOB)
  declare undoSealed: CreationOptional<Buffer | null>;
}
