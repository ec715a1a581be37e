import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A partner in the list of one who is up to ten levels above. The rows come with the partner. */
@Table({ tableName: 'partner_descendants', underscored: true, timestamps: false })
export class PartnerDescendant extends Model<
  InferAttributes<PartnerDescendant>,
  InferCreationAttributes<PartnerDescendant>
> {
  /** The number of the partner above. */
  @Column({ type: DataType.BIGINT, primaryKey: true })
  declare ancestorNumber: number;

  @Column({ type: DataType.SMALLINT, primaryKey: true })
  declare level: number;

  /** The time at which the partner below joined. */
  @Column({ type: DataType.DATE, primaryKey: true })
  declare joinedAt: Date;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare partnerId: string;
}
