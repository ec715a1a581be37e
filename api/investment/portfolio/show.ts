import { flowDaysOf, holdingsOf, maturingNext } from '../../../db/investment/portfolio/portfolio.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { MOST_MATURITIES, Portfolio, portfolioView } from './portfolio.view';

export const showPortfolio = endpoint({
  id: 'getPortfolio',
  returns: 'The portfolio',
  method: 'get',
  path: '/investment/portfolio',
  summary: 'Show your portfolio',
  description: `What you invested, what it is worth, how it is spread, and the next ${MOST_MATURITIES} participations to mature. Percentages have two decimals; what is not defined is 0.`,
  tag: 'Investment',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: Portfolio,
  errors: {},

  async handle(_request, { db, caller }) {
    const now = new Date();
    const [holdings, maturing, flows] = await Promise.all([
      holdingsOf(db, caller.id, now),
      maturingNext(db, caller.id, MOST_MATURITIES),
      flowDaysOf(db, caller.id, now),
    ]);
    return portfolioView(holdings, maturing, flows, now);
  },
});
