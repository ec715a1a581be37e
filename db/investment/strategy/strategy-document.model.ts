import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type { StrategyDocumentType } from '../../../workflows/investment/strategy/strategy.rules';

/** A document of a strategy that anybody can read. */
@Table({ tableName: 'investment_strategy_documents', underscored: true, timestamps: false })
export class StrategyDocument extends Model<
  InferAttributes<StrategyDocument>,
  InferCreationAttributes<StrategyDocument>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare strategyId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare type: StrategyDocumentType;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare url: string;

  /** Null for one that is not stored here. */
  @Column(DataType.TEXT)
  declare mediaName: CreationOptional<string | null>;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare position: number;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
