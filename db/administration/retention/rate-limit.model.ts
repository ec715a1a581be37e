import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** How often a client called, counted across all API processes. */
@Table({ tableName: 'rate_limits', underscored: true, timestamps: false })
export class RateLimit extends Model<InferAttributes<RateLimit>, InferCreationAttributes<RateLimit>> {
  @Column({ type: DataType.STRING(255), primaryKey: true })
  declare key: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare points: CreationOptional<number>;

  /** When counting starts anew, in milliseconds since 1970. */
  @Column(DataType.BIGINT)
  declare expire: number | null;
}
