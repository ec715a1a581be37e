import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A company that runs strategies. */
@Table({ tableName: 'investment_providers', underscored: true, timestamps: false })
export class Provider extends Model<InferAttributes<Provider>, InferCreationAttributes<Provider>> {
  /** Its name in addresses, ledger accounts and process ids. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare code: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  /** The https address that its API is under; null: it has none. */
  @Column(DataType.TEXT)
  declare apiBase: CreationOptional<string | null>;

  /** The audience of the tokens that sign users in there; null: it takes none. */
  @Column(DataType.TEXT)
  declare ssoAudience: CreationOptional<string | null>;

  /** The https address that users are led to with a token; null: `/sso` below `apiBase`. */
  @Column(DataType.TEXT)
  declare ssoUrl: CreationOptional<string | null>;

  /** Signed reports that it may send in a minute; null: the number of the policy. */
  @Column(DataType.INTEGER)
  declare webhooksPerMinute: CreationOptional<number | null>;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isActive: CreationOptional<boolean>;

  /** Since when it is active and has an API; before that the time of its last change. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare connectedAt: CreationOptional<Date>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
