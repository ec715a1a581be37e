import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The partners who are so many levels below a partner, and the volume of their own customers. */
@Table({ tableName: 'partner_levels', underscored: true, timestamps: false })
export class PartnerLevel extends Model<
  InferAttributes<PartnerLevel>,
  InferCreationAttributes<PartnerLevel>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare partnerId: string;

  @Column({ type: DataType.SMALLINT, primaryKey: true })
  declare level: number;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare partners: number;

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare volumeMinor: number;
}
