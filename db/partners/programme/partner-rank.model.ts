import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A rank in a version of the programme, which never changes. Rates are basis points, points are hundredths of a point. */
@Table({ tableName: 'partner_ranks', underscored: true, timestamps: false })
export class PartnerRank extends Model<InferAttributes<PartnerRank>, InferCreationAttributes<PartnerRank>> {
  @Column({ type: DataType.INTEGER, primaryKey: true })
  declare programmeVersion: number;

  /** From 1; a higher rank has a higher level. */
  @Column({ type: DataType.SMALLINT, primaryKey: true })
  declare level: number;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare code: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  /** The differential rate of sales. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare teamRateBp: number;

  /** The differential rate of profits. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare profitRateBp: number;

  /** Required personal points. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare personalPoints: number;

  /** Required group points, of which the largest leg counts for at most half. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare groupPoints: number;

  /** The required number of legs with a partner of `legLevel` or higher. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare legs: number;

  @Column(DataType.SMALLINT)
  declare legLevel: number | null;

  /** Paid once when the rank is reached. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare bonusMinor: number;

  /** The weight in the leadership pools; 0: takes no part. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare poolWeight: number;
}
