import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A user's vote that a review is helpful. */
@Table({ tableName: 'review_votes', underscored: true, timestamps: false })
export class ReviewVote extends Model<InferAttributes<ReviewVote>, InferCreationAttributes<ReviewVote>> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare reviewId: string;

  @Column({ type: DataType.UUID, primaryKey: true })
  declare userId: string;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
