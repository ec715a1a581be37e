import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The tokens a session was continued with. Only hashes are kept, and only the newest token still works. */
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

  /** When the next token replaced it; null for the one that works. */
  @Column(DataType.DATE)
  declare rotatedAt: Date | null;
}
