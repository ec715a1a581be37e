import { QueryTypes } from 'sequelize';
import {
  commissionTotals,
  listedCommissions,
} from '../../../../db/partners/commission-list/commission-list.reads';
import {
  openingMinor,
  statementLines,
  statementSums,
} from '../../../../db/partners/earnings/statement.reads';
import { partnerDetail, recentCommissions } from '../../../../db/partners/network/partner-detail.reads';
import { listedPartners } from '../../../../db/partners/network/partner-list.reads';
import { networkFigures, networkLevels, networkPage } from '../../../../db/partners/network/network.reads';
import { poolRuns } from '../../../../db/partners/pool/pool.reads';
import { connect } from '../../../../db/sql/connection';
import type { Db } from '../../../../db/sql/query';
import { monthOf } from '../../../../workflows/partners/statement/statement.rules';
import { statementsOf } from '../../../support/checks/plans-of';
import type { Fact } from '../../row';
import type { Stage } from '../../setting/stage';
import { partnerAbove, type Asked } from './answers';

const PAGE = { limit: 20, offset: 0 };
const NEWEST = { sortOrder: 'desc', ...PAGE } as const;

/** The reads of what partners and administrators ask. */
function readsOf(db: Db, { partnerId, number, userId }: Asked): Record<string, () => Promise<unknown>> {
  const lastMonth = new Date();
  lastMonth.setUTCDate(0);
  const month = monthOf(lastMonth.toISOString().slice(0, 7));
  const owner = { userId, currency: 'USD' };
  return {
    'a page of a network': () => networkPage(db, { id: partnerId, number }, { depth: 10, ...PAGE }),
    'the figures of a network': () => networkFigures(db, partnerId),
    'the levels of a network': () => networkLevels(db, partnerId, null),
    'a partner': () => partnerDetail(db, { partnerId }, 'USD'),
    'commissions of a partner': () => recentCommissions(db, partnerId, 10),
    'a statement': async () => {
      await openingMinor(db, owner, month);
      await statementSums(db, owner, month);
      await statementLines(db, owner, month, null, 1_000);
    },
    'the list of partners': () =>
      listedPartners(db, {}, { sortBy: 'networkSize', currency: 'USD', ...NEWEST }),
    'the list of commissions': () => listedCommissions(db, {}, { sortBy: 'createdAt', ...NEWEST }),
    'the sums of a partner’s commissions': () => commissionTotals(db, { partnerId }),
    'the list of pools': () => poolRuns(db, undefined, PAGE),
  };
}

/** The tables that each read goes through from end to end, by the plans that PostgreSQL makes for this network. */
export async function plansOfPartners({ postgres }: Stage, partners: number): Promise<Fact[]> {
  const asked = await partnerAbove(postgres.sql, partners / 10);
  const db = connect({ DATABASE_URL: postgres.url, DATABASE_POOL_MAX: 1 }, 'bench');
  try {
    const facts: Fact[] = [];
    for (const [name, read] of Object.entries(readsOf(db, asked))) {
      const scanned = new Set<string>();
      for (const { text, bind } of await statementsOf(db, read)) {
        const [row] = await db.sequelize.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `EXPLAIN (FORMAT JSON) ${text}`,
          { bind, type: QueryTypes.SELECT },
        );
        for (const table of scannedIn(row!['QUERY PLAN'][0].Plan, false)) scanned.add(table);
      }
      facts.push({
        figure: `tables read from end to end for ${name}, ${partners} partners`,
        value: [...scanned].join(', ') || 'none',
        target: 'none',
      });
    }
    return facts;
  } finally {
    await db.sequelize.close();
  }
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** Nodes that read all rows below, also under a limit. */
const READS_ALL = /Sort|Aggregate|Hash/;
/** Tables that have a few rows here, of which an index would save nothing. */
const SMALL = new Set(['partner_ranks', 'partner_programmes', 'pool_runs', 'orders']);

/** The tables of sequential scans that no limit ends, which are counts of at most so many. */
function scannedIn(plan: Plan, isLimited: boolean): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', Plans: below = [] } = plan;
  const ends = type === 'Limit' || (isLimited && !READS_ALL.test(type));
  const own = type === 'Seq Scan' && !isLimited && !SMALL.has(table) ? [table] : [];
  return [...own, ...below.flatMap((node) => scannedIn(node, ends))];
}
