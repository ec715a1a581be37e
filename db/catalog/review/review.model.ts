import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { ReviewStatus } from '../../../workflows/catalog/review/review.rules';

/** A buyer's review of a product: at most one for each product. */
@Table({ tableName: 'reviews', underscored: true, timestamps: false })
export class Review extends Model<InferAttributes<Review>, InferCreationAttributes<Review>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare productId: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  /** One to five stars. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare rating: number;

  @Column(DataType.TEXT)
  declare title: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare content: string;

  @Column({ type: DataType.ARRAY(DataType.TEXT), allowNull: false })
  declare pros: CreationOptional<string[]>;

  @Column({ type: DataType.ARRAY(DataType.TEXT), allowNull: false })
  declare cons: CreationOptional<string[]>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: ReviewStatus;

  /** The number of its votes. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare helpfulCount: CreationOptional<number>;

  /** The shop's public answer. */
  @Column(DataType.TEXT)
  declare response: string | null;

  @Column(DataType.DATE)
  declare respondedAt: Date | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  /** The time of the last moderation or answer. */
  @Column(DataType.DATE)
  declare updatedAt: Date | null;
}
