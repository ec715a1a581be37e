import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The sales of a partner and the network below in a month (UTC). */
@Table({ tableName: 'partner_months', underscored: true, timestamps: false })
export class PartnerMonth extends Model<
  InferAttributes<PartnerMonth>,
  InferCreationAttributes<PartnerMonth>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare partnerId: string;

  /** Its first day. */
  @Column({ type: DataType.DATEONLY, primaryKey: true })
  declare month: string;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare personalPoints: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare groupPoints: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare personalVolumeMinor: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare groupVolumeMinor: number;
}
