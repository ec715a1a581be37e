import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The counted clicks of a link on a day (UTC). */
@Table({ tableName: 'partner_link_days', underscored: true, timestamps: false })
export class PartnerLinkDay extends Model<
  InferAttributes<PartnerLinkDay>,
  InferCreationAttributes<PartnerLinkDay>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare linkId: string;

  @Column({ type: DataType.DATEONLY, primaryKey: true })
  declare day: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare clicks: number;
}
