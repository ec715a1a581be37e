import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { UserAccount } from './ledger.accounts';

/** The balance of a user's account: always the sum of its entries, maintained by the database itself. */
@Table({ tableName: 'ledger_balances', underscored: true, timestamps: false })
export class LedgerBalance extends Model<
  InferAttributes<LedgerBalance>,
  InferCreationAttributes<LedgerBalance>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare account: UserAccount;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare currency: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare balanceMinor: CreationOptional<number>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
