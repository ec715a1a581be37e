import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The figures of a partner in a run of a pool; of everyone whose rank has a weight and who has volume. */
@Table({ tableName: 'pool_shares', underscored: true, timestamps: false })
export class PoolShare extends Model<InferAttributes<PoolShare>, InferCreationAttributes<PoolShare>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare runId: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare partnerId: string;

  /** The partner's number, which decides between equal remainders. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare number: number;

  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare rankLevel: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare weight: number;

  /** The number of legs above zero. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare legs: number;

  /** The sum of the legs above zero. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare volumeMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare largestLegMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare qualifiedMinor: number;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare takesPart: boolean;

  /** Qualified volume times weight; the database computes it. */
  @Column({ type: 'numeric(40,0)', allowNull: false })
  declare numerator: CreationOptional<string>;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare amountMinor: number;

  /** The commission that pays it; null without an amount. */
  @Column(DataType.UUID)
  declare commissionId: string | null;

  @Column(DataType.DATE)
  declare paidAt: CreationOptional<Date | null>;
}
