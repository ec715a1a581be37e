import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The refresh tokens of a session. Only hashes are stored, and only the newest token is accepted. */
@Table({ tableName: 'refresh_tokens', underscored: true, timestamps: false })
export class RefreshToken extends Model<
  InferAttributes<RefreshToken>,
  InferCreationAttributes<RefreshToken>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare tokenHash: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare sessionId: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare expiresAt: Date;

  /** When the next token replaced it; null for the current one. */
  @Column(DataType.DATE)
  declare rotatedAt: Date | null;
}
