import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { Participation } from './participation.model';

const HEAD = ['id', 'number', 'userId', 'currency'] as const;

/** The part of a participation that requests about its payment need. */
export type ParticipationHead = Pick<Attributes<Participation>, (typeof HEAD)[number]>;

/** A participation; null when there is none. */
export const participationHead = (db: Db, id: string): Promise<ParticipationHead | null> =>
  table(db, Participation).one(HEAD, { id });

/** The id of the participation with a number, such as INV-2026-00000012 in any case; null if there is none. */
export async function participationIdOfNumber(db: Db, number: string): Promise<string | null> {
  const found = await table(db, Participation).one(['id'], { number: number.toUpperCase() });
  return found?.id ?? null;
}
