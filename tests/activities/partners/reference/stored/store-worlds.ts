import { execute, firstRow, type Db } from '../../../../../db/sql/query';
import { queueEvents } from '../../../../support/builders/make/partners/partner-sales';
import { make } from '../../../../support/builders/make';
import { insertAll } from '../../../../support/builders/make/insert';
import { people, shared } from '../../../../support/builders/partnering/sold-orders';
import type { RandomWorld } from '../random-world';
import type { Reference } from '../reference';
import { chargeBack } from './chargeback-rows';
import { partnersOf, sell, type Row, type Rows, type StoredWorld } from './world-rows';

/** A random world, and the reference that plays it. */
export interface DrawnWorld {
  world: RandomWorld;
  reference: Reference;
}

/** Writes the rows of worlds and announces everything that happens in them; nothing is taken yet. One statement a table. */
export async function storeWorlds(db: Db, worlds: readonly DrawnWorld[]): Promise<StoredWorld[]> {
  const rowsOf: Rows = {
    ...{ partners: [], orders: [], order_items: [], refund_requests: [], refund_request_items: [] },
    ...{ participations: [], partner_entrances: [], domain_events: [] },
  };
  const base = { sale: await shared(db), participation: await anyParticipation(db) };
  const userIds = await people(
    db,
    worlds.flatMap(({ world }) => world.partners.map(() => null)),
  );
  const stored = worlds.map(({ world }) => partnersOf(rowsOf, world, userIds));
  await insertAll(db, 'partners', rowsOf.partners);
  rowsOf.partners = [];
  const buyerIds = await people(
    db,
    worlds.flatMap(({ world }, at) =>
      world.buyers.map((referrer) => (referrer === null ? null : stored[at]!.partnerIds[referrer]!)),
    ),
  );
  for (const [at, { world }] of worlds.entries()) {
    const own = buyerIds.splice(0, world.buyers.length);
    sell(rowsOf, stored[at]!, world, { buyerIds: own, ...base });
    chargeBack(rowsOf, stored[at]!, world, own[0]!);
  }
  for (const [table, all] of Object.entries(rowsOf)) await insertAll(db, table, all as Row[]);
  await queueEvents(db, 'id = ANY($1::uuid[])', [stored.flatMap(({ eventIds }) => [...eventIds.values()])]);
  await rankPartners(db, worlds, stored);
  return stored;
}

/** A participation's row, which others are made like. */
async function anyParticipation(db: Db): Promise<Row> {
  const { id } = await make.participation(db, { amountMinor: 100 });
  const found = await firstRow<{ row: Row }>(
    db,
    'SELECT to_jsonb(p) AS row FROM participations p WHERE id = $1',
    [id],
  );
  return found!.row;
}

/** Gives the partners their ranks, as if they had reached them before. */
async function rankPartners(
  db: Db,
  worlds: readonly DrawnWorld[],
  stored: readonly StoredWorld[],
): Promise<void> {
  await execute(
    db,
    `UPDATE partner_standings s SET rank_level = r.rank, highest_rank_level = r.rank, rank_limit = r.most,
       network_rank_level = r.network
     FROM unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::smallint[]) AS r (id, rank, most, network)
     WHERE s.partner_id = r.id`,
    [
      stored.flatMap(({ partnerIds }) => partnerIds),
      worlds.flatMap(({ world }) => world.partners.map(({ rank }) => rank)),
      worlds.flatMap(({ world }) => world.partners.map(({ limit }) => limit)),
      worlds.flatMap(({ world, reference }) => world.partners.map((_, at) => reference.networkRank(at))),
    ],
  );
}
