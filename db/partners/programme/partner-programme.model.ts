import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A version of the rates of the partner programme, which never changes. Rates are basis points. */
@Table({ tableName: 'partner_programmes', underscored: true, timestamps: false })
export class PartnerProgramme extends Model<
  InferAttributes<PartnerProgramme>,
  InferCreationAttributes<PartnerProgramme>
> {
  @Column({ type: DataType.INTEGER, primaryKey: true })
  declare version: number;

  /** The version in force is the newest whose time has come. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare validFrom: Date;

  /** Of a sale's pool, to the sponsor: of the buyer's first order, and of every investment. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare personalSaleBp: number;

  /** Of a sale's pool, to the sponsor: of later orders. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare repeatSaleBp: number;

  /** Of a profit, to the sponsor. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare clientProfitBp: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare entranceLevel1Bp: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare entranceLevel2Bp: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare entranceLevel3Bp: number;

  /** Withheld of every commission. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare withholdingBp: number;

  /** Of the period's base. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare poolWeeklyBp: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare poolMonthlyBp: number;

  /** The qualified volume from which a partner takes part. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare poolWeeklyVolumeMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare poolMonthlyVolumeMinor: number;
}
