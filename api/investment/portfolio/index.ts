import { showPerformance } from './performance';
import { showPortfolio } from './show';

export const portfolioEndpoints = [showPortfolio, showPerformance];
