import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A link of a partner, who sees what it brings. */
@Table({ tableName: 'partner_links', underscored: true, timestamps: false })
export class PartnerLink extends Model<InferAttributes<PartnerLink>, InferCreationAttributes<PartnerLink>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare partnerId: string;

  /** Eight characters, upper case, as the parameter `link` has them. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare code: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column(DataType.TEXT)
  declare campaign: string | null;

  /** The page to which it leads. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare landingPath: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
