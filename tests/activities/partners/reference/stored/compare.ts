import { rows, type Db } from '../../../../../db/sql/query';
import type { Reference } from '../reference';
import type { StoredWorld } from './world-rows';

/** Everything that the engine has counted of a world, in a shape that both sides can say. */
export interface Counted {
  commissions: string[];
  standings: string[];
  levels: string[];
  months: string[];
  balances: string[];
}

const sorted = (counted: Counted): Counted => ({
  commissions: counted.commissions.sort(),
  standings: counted.standings.sort(),
  levels: counted.levels.sort(),
  months: counted.months.sort(),
  balances: counted.balances.sort(),
});

export async function storedCounts(db: Db, { partnerIds, userIds, sources }: StoredWorld): Promise<Counted> {
  const name = new Map(partnerIds.map((id, index) => [id, index]));
  const nameOf = new Map([...sources].map(([source, id]) => [id, source]));
  const of = <Row extends { partnerId: string }>(statement: string) => rows<Row>(db, statement, [partnerIds]);
  const commissions = await of<{
    partnerId: string;
    type: number;
    sourceId: string;
    level: number;
    netMinor: number;
    status: string;
    isBack: boolean;
  }>('SELECT *, reversal_of IS NOT NULL AS is_back FROM partner_commissions WHERE partner_id = ANY($1)');
  const standings = await of<Record<string, number> & { partnerId: string }>(
    'SELECT * FROM partner_standings WHERE partner_id = ANY($1)',
  );
  const levels = await of<{ partnerId: string; level: number; partners: number; volumeMinor: number }>(
    'SELECT * FROM partner_levels WHERE partner_id = ANY($1) AND (partners, volume_minor) <> (0, 0)',
  );
  const months = await of<Record<string, number | string> & { partnerId: string }>(
    `SELECT * FROM partner_months WHERE partner_id = ANY($1)
       AND (personal_points, group_points, personal_volume_minor, group_volume_minor) <> (0, 0, 0, 0)`,
  );
  const balances = await rows<{ userId: string; account: string; balanceMinor: number }>(
    db,
    'SELECT user_id, account, balance_minor FROM ledger_balances WHERE user_id = ANY($1) AND balance_minor <> 0',
    [userIds],
  );
  return sorted({
    commissions: commissions.map((one) =>
      [
        name.get(one.partnerId),
        one.type,
        nameOf.get(one.sourceId),
        one.level,
        one.netMinor,
        one.status,
        one.isBack,
      ].join(' '),
    ),
    standings: standings.map((one) =>
      [
        name.get(one.partnerId),
        ...['rankLevel', 'highestRankLevel', 'networkRankLevel', 'networkSize', 'networkDepth'].map(
          (key) => one[key],
        ),
        ...['personalPoints', 'groupPoints', 'personalVolumeMinor', 'groupVolumeMinor', 'earnedMinor'].map(
          (key) => one[key],
        ),
      ].join(' '),
    ),
    levels: levels.map((one) =>
      [name.get(one.partnerId), one.level, one.partners, one.volumeMinor].join(' '),
    ),
    months: months.map((one) =>
      [
        ...[
          name.get(one.partnerId),
          String(one['month']).slice(0, 7),
          one['personalPoints'],
          one['groupPoints'],
        ],
        ...[one['personalVolumeMinor'], one['groupVolumeMinor']],
      ].join(' '),
    ),
    balances: balances.map((one) => [userIds.indexOf(one.userId), one.account, one.balanceMinor].join(' ')),
  });
}

const sum = <T>(of: readonly T[], value: (one: T) => number): number =>
  of.reduce((all, one) => all + value(one), 0);

/** The partners below, level by level. */
function levelsBelow(reference: Reference, partner: number): number[][] {
  const next = reference.children(partner);
  const deeper = next.map((child) => levelsBelow(reference, child));
  const depth = Math.max(0, ...deeper.map((levels) => levels.length));
  return next.length === 0
    ? []
    : [next, ...Array.from({ length: depth }, (_, level) => deeper.flatMap((levels) => levels[level] ?? []))];
}

export function referenceCounts(reference: Reference): Counted {
  const all = reference.partners.map((_, partner) => partner);
  const volume = (partner: number, month?: string) =>
    sum(reference.sales, (sale) =>
      sale.sponsor === partner && (month === undefined || sale.month === month) ? sale.baseMinor : 0,
    );
  const points = (partner: number, month: string) =>
    sum(reference.sales, (sale) => (sale.sponsor === partner && sale.month === month ? sale.points : 0));
  const network = (partner: number): number[] => [partner, ...levelsBelow(reference, partner).flat()];
  const months = [...new Set(reference.sales.map(({ month }) => month))];
  const earned = (partner: number) =>
    sum(reference.commissions, ({ partner: of, status, netMinor, back }) =>
      of === partner && status !== 'REVERSED' ? netMinor - sum(back, (one) => one.netMinor) : 0,
    );
  const isPending = (status: string) => status === 'PENDING' || status === 'HELD';
  const balance = (partner: number, account: 'partner_pending' | 'partner_available') =>
    sum(reference.commissions, (one) => {
      if (one.partner !== partner || one.status === 'REVERSED') return 0;
      const lies = (status: string) =>
        account === 'partner_pending' ? isPending(status) : status === 'APPROVED';
      return (
        (lies(one.status) ? one.netMinor : 0) -
        sum(one.back, (back) => (lies(back.status) ? back.netMinor : 0))
      );
    });
  return sorted({
    commissions: reference.commissions.flatMap((one) => [
      [one.partner, one.type, one.source, one.level, one.netMinor, one.status, false].join(' '),
      ...one.back.map((back) =>
        [one.partner, one.type, one.source, one.level, -back.netMinor, back.status, true].join(' '),
      ),
    ]),
    standings: all.map((partner) => {
      const { rank } = reference.partners[partner]!;
      const below = levelsBelow(reference, partner);
      return [
        ...[partner, rank, rank, reference.networkRank(partner), below.flat().length, below.length],
        ...[reference.personal(partner), reference.group(partner), volume(partner)],
        ...[sum(network(partner), (one) => volume(one)), earned(partner)],
      ].join(' ');
    }),
    levels: all.flatMap((partner) =>
      levelsBelow(reference, partner).map((level, index) =>
        [partner, index + 1, level.length, sum(level, (one) => volume(one))].join(' '),
      ),
    ),
    months: all.flatMap((partner) =>
      months.flatMap((month) => {
        const figures = [
          ...[points(partner, month), sum(network(partner), (one) => points(one, month))],
          ...[volume(partner, month), sum(network(partner), (one) => volume(one, month))],
        ];
        return figures.every((figure) => figure === 0) ? [] : [[partner, month, ...figures].join(' ')];
      }),
    ),
    balances: all.flatMap((partner) =>
      (['partner_pending', 'partner_available'] as const).flatMap((account) => {
        const minor = balance(partner, account);
        return minor === 0 ? [] : [[partner, account, minor].join(' ')];
      }),
    ),
  });
}
