import { people, soldOrder } from '../../support/builders/partnering/sold-orders';
import { execute, type Db } from '../../../db/sql/query';

/** Counts the partners of a world without a worker as the commission engine would. */
export async function counted(db: Db): Promise<void> {
  await execute(
    db,
    `INSERT INTO partner_levels (partner_id, level, partners, volume_minor)
     SELECT a.id, d.level, count(*), 0 FROM partner_descendants d JOIN partners a ON a.number = d.ancestor_number
      GROUP BY 1, 2 ON CONFLICT (partner_id, level) DO UPDATE SET partners = excluded.partners`,
  );
  await execute(
    db,
    `UPDATE partner_standings s SET counted_at = now(), network_size = l.size, network_depth = l.depth
       FROM (SELECT partner_id, sum(partners) AS size, max(level) AS depth FROM partner_levels GROUP BY 1) l
      WHERE l.partner_id = s.partner_id`,
  );
}

/** Orders of new customers, each brought by a partner and paid so many days ago. */
export async function soldTo(db: Db, brought: readonly (readonly [string, number])[]): Promise<void> {
  const buyers = await people(
    db,
    brought.map(([sponsorId]) => sponsorId),
  );
  for (const [index, [, daysAgo]] of brought.entries())
    await soldOrder(db, {
      ...{ buyerId: buyers[index]!, lines: [{ goodsMinor: 1_00 }] },
      paidAt: new Date(Date.now() - daysAgo * 86_400_000),
    });
}
