import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A person's identity at another provider. A subject never passes to another person; an e-mail address may. */
@Table({ tableName: 'external_accounts', underscored: true, timestamps: false })
export class ExternalAccount extends Model<
  InferAttributes<ExternalAccount>,
  InferCreationAttributes<ExternalAccount>
> {
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare issuer: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare subject: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
