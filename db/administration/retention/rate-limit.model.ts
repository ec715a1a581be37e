import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The number of a client's calls, counted across all API processes. */
@Table({ tableName: 'rate_limits', underscored: true, timestamps: false })
export class RateLimit extends Model<InferAttributes<RateLimit>, InferCreationAttributes<RateLimit>> {
  @Column({ type: DataType.STRING(255), primaryKey: true })
  declare key: string;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare points: CreationOptional<number>;

  /** The end of the counted period, in milliseconds since 1970. */
  @Column(DataType.BIGINT)
  declare expire: number | null;
}
