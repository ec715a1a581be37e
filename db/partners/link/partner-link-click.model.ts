import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A click that is not yet counted by day. The database refuses a visitor's repetition. */
@Table({ tableName: 'partner_link_clicks', underscored: true, timestamps: false })
export class PartnerLinkClick extends Model<
  InferAttributes<PartnerLinkClick>,
  InferCreationAttributes<PartnerLinkClick>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare linkId: string;

  /** The visitor, by the recorded touch. */
  @Column({ type: DataType.UUID, primaryKey: true })
  declare touchId: string;

  @Column({ type: DataType.DATE, primaryKey: true })
  declare clickedAt: Date;

  /** The end of the time in which the visitor's further clicks are repetitions. */
  @Column({ type: DataType.DATE, allowNull: false })
  declare repeatedUntil: Date;
}
