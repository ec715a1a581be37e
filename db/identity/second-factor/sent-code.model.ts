import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A one-time code that was sent for one purpose. A new one replaces the previous one. */
@Table({ tableName: 'sent_codes', underscored: true, timestamps: false })
export class SentCode extends Model<InferAttributes<SentCode>, InferCreationAttributes<SentCode>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare purpose: 'LOGIN' | 'SETUP' | 'DISABLE' | 'PHONE' | 'CONFIRM';

  @Column({ type: DataType.TEXT, allowNull: false })
  declare channel: 'SMS' | 'EMAIL';

  /** An E.164 number or an e-mail address. For PHONE: the number to verify. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare destination: string;

  /** Sealed, not hashed: a reader of the table could hash all million codes in a second. */
  @Column({ type: DataType.BLOB, allowNull: false })
  declare codeSealed: Buffer;

  /** For LOGIN: the only sign-in that may use it (hash of its temporary token). */
  @Column(DataType.TEXT)
  declare boundTo: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare expiresAt: Date;

  /** Wrong guesses. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare tries: CreationOptional<number>;

  @Column(DataType.DATE)
  declare usedAt: Date | null;

  @Column(DataType.DATE)
  declare supersededAt: Date | null;
}
