import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { TwoFactorMethod } from '../../../workflows/identity/second-factor/second-factor.rules';

/** A proof in addition to the password. Until `enabledAt` is set, it is set up but not in force. */
@Table({ tableName: 'second_factors', underscored: true, timestamps: false })
export class SecondFactor extends Model<
  InferAttributes<SecondFactor>,
  InferCreationAttributes<SecondFactor>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare method: TwoFactorMethod;

  /** The shared secret of a TOTP, sealed for this user; null for the others. */
  @Column(DataType.BLOB)
  declare secretSealed: Buffer | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column(DataType.DATE)
  declare enabledAt: Date | null;

  /** The newest TOTP step (30 s since 1970) that was accepted; neither it nor an older one is accepted again. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare lastStep: CreationOptional<number>;
}
