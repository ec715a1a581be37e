import { acceptInvestmentDifference } from './accept';
import { listInvestmentDifferences } from './list';

export const investmentDifferenceEndpoints = [listInvestmentDifferences, acceptInvestmentDifference];
