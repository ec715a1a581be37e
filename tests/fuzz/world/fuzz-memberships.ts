import type { Db } from '../../../db/sql/query';
import { entrance } from '../../support/builders/partnering/entering';
import { make } from '../../support/builders/make';
import type { Dictionaries } from './fuzz-world';

/** Partners on whose membership is decided, and entrance fees that wait for a transfer. */
export async function membershipsIn(db: Db, spare: number): Promise<Dictionaries> {
  const partners = Array.from({ length: spare }, (_, i) =>
    make.partner(db, { status: i % 2 === 0 ? 'ACTIVE' : 'SUSPENDED' }),
  );
  const entrances = Array.from({ length: spare }, () => entrance(db));
  return {
    sparePartners: (await Promise.all(partners)).map(({ id }) => id),
    entrances: (await Promise.all(entrances)).map(({ id }) => id),
  };
}
