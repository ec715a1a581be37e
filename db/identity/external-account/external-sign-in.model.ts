import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A sign-in that was sent to another provider and may return once. */
@Table({ tableName: 'external_sign_ins', underscored: true, timestamps: false })
export class ExternalSignIn extends Model<
  InferAttributes<ExternalSignIn>,
  InferCreationAttributes<ExternalSignIn>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare stateHash: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare provider: string;

  /** The region of the account, as it was when the sign-in began. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare region: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare nonce: string;

  /** The secret of PKCE (RFC 7636). */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare codeVerifier: string;

  /** The traces of a partner's link in the browser when the sign-in began; null without one. */
  @Column({ type: DataType.TEXT })
  declare referralCode: string | null;

  @Column({ type: DataType.UUID })
  declare touchId: string | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare expiresAt: Date;
}
