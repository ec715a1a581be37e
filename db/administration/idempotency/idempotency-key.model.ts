import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A request that a caller named with an Idempotency-Key, and the answer it got. */
@Table({ tableName: 'idempotency_keys', underscored: true, timestamps: false })
export class IdempotencyKey extends Model<
  InferAttributes<IdempotencyKey>,
  InferCreationAttributes<IdempotencyKey>
> {
  /** Whose key it is: a user or, before sign-in, a client. */
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

  /** Ids made for the request, so that its repetition makes the same ones. */
  @Column({ type: DataType.JSONB, allowNull: false })
  declare minted: CreationOptional<Record<string, unknown>>;

  /** The number of the try, from 1; processes are asked anew after an outcome that was no answer. */
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
