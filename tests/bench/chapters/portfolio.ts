import { duel } from '../duel';
import { ratioOf, type Fact, type Row } from '../row';
import type { Buyer } from '../setting/people';
import { addPortfolio } from '../setting/portfolios';
import type { Findings, Shop } from './chapter';

const LARGE = 10_000;
const SMALL = 100;
const READ = ['/investment/portfolio', '/investment/portfolio/performance?period=ALL&granularity=MONTH'];

/** Portfolios of 10,000 transactions against those of 100, in the place of the bare server. */
export async function portfolio({ stage, buyers, levels, pace }: Shop): Promise<Findings> {
  const { api, postgres } = stage;
  const [large, small] = [buyers[0]!, buyers[1]!];
  await addPortfolio(postgres.sql, large.userId, LARGE);
  await addPortfolio(postgres.sql, small.userId, SMALL);
  const servers = { api: api.pid, PostgreSQL: postgres.pid };
  const reading = (path: string, { token }: Buyer) => ({
    operation: async (): Promise<undefined> => {
      await api.ask({ path, headers: { authorization: `Bearer ${token}` } });
    },
    servers,
  });
  const rows: Row[] = [];
  const facts: Fact[] = [];
  for (const path of READ) {
    const name = `GET ${path.split('?')[0]!}`;
    for (const callers of levels) {
      const contenders = { ours: reading(path, large), bare: reading(path, small) };
      const figures = await duel(contenders, callers, pace);
      const row = { measured: `${name}, ${LARGE} transactions against ${SMALL}`, callers, ...figures };
      rows.push(row);
      if (callers > 1) continue;
      const target = path === READ[0] ? '≥ 0.80' : '';
      facts.push({
        figure: `${name}, ${LARGE} ÷ ${SMALL} transactions`,
        value: ratioOf(row).toFixed(2),
        target,
      });
      facts.push({
        figure: `${name} of ${LARGE} transactions, ms`,
        value: row.ours.p50Ms.toFixed(1),
        target: '< 50',
      });
    }
  }
  return { rows, facts };
}
