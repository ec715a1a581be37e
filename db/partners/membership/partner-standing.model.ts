import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The counts of a partner and the network below. The row comes with the partner. */
@Table({ tableName: 'partner_standings', underscored: true, timestamps: false })
export class PartnerStanding extends Model<
  InferAttributes<PartnerStanding>,
  InferCreationAttributes<PartnerStanding>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare partnerId: string;

  @Column(DataType.UUID)
  declare sponsorId: string | null;

  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare rankLevel: CreationOptional<number>;

  /** An administrator's limit: no rank above it is reached by points. */
  @Column(DataType.SMALLINT)
  declare rankLimit: CreationOptional<number | null>;

  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare highestRankLevel: CreationOptional<number>;

  @Column({ type: DataType.DATE, allowNull: false })
  declare highestRankAt: Date;

  /** The highest rank of the partner and all below. */
  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare networkRankLevel: CreationOptional<number>;

  /** The partners below. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare networkSize: CreationOptional<number>;

  /** The levels below. */
  @Column({ type: DataType.SMALLINT, allowNull: false })
  declare networkDepth: CreationOptional<number>;

  /** Hundredths of a point, of sales to own customers. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare personalPoints: CreationOptional<number>;

  /** Hundredths of a point, of the partner and all below. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare groupPoints: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare personalVolumeMinor: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare groupVolumeMinor: CreationOptional<number>;

  /** Commissions that are not reversed, less what was taken back. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare earnedMinor: CreationOptional<number>;

  /** The time at which the partner was added to the counts of those above. */
  @Column(DataType.DATE)
  declare countedAt: CreationOptional<Date | null>;
}
