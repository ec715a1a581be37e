import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A request with an Idempotency-Key, and its answer. */
@Table({ tableName: 'idempotency_keys', underscored: true, timestamps: false })
export class IdempotencyKey extends Model<
  InferAttributes<IdempotencyKey>,
  InferCreationAttributes<IdempotencyKey>
> {
  /** The owner of the key: a user or, before sign-in, a client. */
  @Column({ type: DataType.TEXT, primaryKey: true })
  declare owner: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare route: string;

  @Column({ type: DataType.TEXT, primaryKey: true })
  declare key: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare bodyHash: string;

  /** CLAIMED while its request runs, OPEN when the outcome was not known in time, DONE with an answer. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare state: 'CLAIMED' | 'OPEN' | 'DONE';

  /** Ids minted for the request, which its repetitions use again. */
  @Column({ type: DataType.JSONB, allowNull: false })
  declare minted: CreationOptional<Record<string, unknown>>;

  /** The number of the try, from 1. A try that ended without an answer is followed by a new update of the process. */
  @Column({ type: DataType.INTEGER, allowNull: false })
  declare tries: CreationOptional<number>;

  @Column(DataType.INTEGER)
  declare status: number | null;

  @Column(DataType.JSONB)
  declare body: unknown;

  @Column({ type: DataType.DATE, allowNull: false })
  declare claimedAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;
}
