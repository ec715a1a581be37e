import type {
  PayoutFrequency,
  ReturnType,
  RiskLevel,
  StrategyStatus,
} from '../../../../workflows/investment/strategy/strategy.rules';

export interface DemoStrategy {
  provider: 'alpha' | 'beta';
  category: string;
  name: string;
  shortDescription: string;
  description: string;
  riskLevel: RiskLevel;
  status: StrategyStatus;
  /** Annual percentages in basis points: lowest, highest, expected. */
  returnBp: readonly [min: number, max: number, expected: number];
  returnType: ReturnType;
  payoutFrequency: PayoutFrequency;
  days: readonly [min: number, max: number, lock: number];
  /** In cents (USD). */
  amountsMinor: readonly [min: number, max: number | null, capacity: number | null];
  /** Basis points of the principal; null: no withdrawal in the lock period. */
  penaltyBp: number | null;
  earlyWithdrawal: boolean;
  compounding: boolean;
  reinvestment: boolean;
}

export const DEMO_CATEGORIES = [
  { name: 'Bonds', description: 'Loans to governments and companies, at rates known in advance.' },
  { name: 'Real estate', description: 'Homes, offices and warehouses that earn rent.' },
  { name: 'Venture', description: 'Young companies: some multiply, many fail.' },
] as const;

const always = { earlyWithdrawal: true, status: 'ACTIVE' } as const;

export const DEMO_STRATEGIES: readonly DemoStrategy[] = [
  {
    ...{ ...always, provider: 'alpha', category: 'Bonds', name: 'Harbour Bonds', riskLevel: 'LOW' },
    shortDescription: 'Loans to harbours of the North Sea.',
    description: 'Lends to the authorities of eleven harbours, secured by their fees. Pays every month.',
    ...{ returnBp: [400, 500, 450], returnType: 'FIXED', payoutFrequency: 'MONTHLY' },
    ...{ days: [30, 365, 30], amountsMinor: [100_00, 25_000_00, 500_000_00], penaltyBp: 500 },
    ...{ compounding: true, reinvestment: true },
  },
  {
    ...{ ...always, provider: 'alpha', category: 'Bonds', name: 'Railway Notes', riskLevel: 'LOW' },
    shortDescription: 'Notes of regional railways, paid at the end.',
    description: 'Buys notes of regional railways and holds them. Interest comes with the principal.',
    ...{ returnBp: [500, 650, 600], returnType: 'FIXED', payoutFrequency: 'END_OF_TERM' },
    ...{ days: [90, 730, 90], amountsMinor: [500_00, null, null], penaltyBp: null },
    ...{ compounding: false, reinvestment: true },
  },
  {
    ...{ ...always, provider: 'beta', category: 'Real estate', name: 'City Homes', riskLevel: 'MEDIUM' },
    shortDescription: 'Rent of four hundred flats.',
    description: 'Owns flats in six cities and distributes their rent each month, less repairs.',
    ...{ returnBp: [500, 900, 700], returnType: 'VARIABLE', payoutFrequency: 'MONTHLY' },
    ...{ days: [180, 1_095, 180], amountsMinor: [250_00, 100_000_00, 2_000_000_00], penaltyBp: 1_000 },
    ...{ compounding: true, reinvestment: false },
  },
  {
    ...{
      ...always,
      provider: 'beta',
      category: 'Real estate',
      name: 'Warehouse Income',
      riskLevel: 'MEDIUM',
    },
    shortDescription: 'Warehouses along motorways.',
    description: 'Lets warehouses to parcel services. The rent is paid out at the end of the term.',
    ...{ returnBp: [600, 1_050, 825], returnType: 'VARIABLE', payoutFrequency: 'END_OF_TERM' },
    ...{ days: [365, 1_825, 365], amountsMinor: [1_000_00, null, 750_000_00], penaltyBp: 1_500 },
    ...{ compounding: false, reinvestment: true },
  },
  {
    ...{ ...always, provider: 'beta', category: 'Venture', name: 'Seed Fund', riskLevel: 'HIGH' },
    earlyWithdrawal: false,
    shortDescription: 'Shares of forty young companies.',
    description: 'Buys small shares of forty young companies. Most will fail; a few may pay for all.',
    ...{ returnBp: [-5_000, 6_000, 1_500], returnType: 'VARIABLE', payoutFrequency: 'END_OF_TERM' },
    ...{ days: [730, 3_650, 730], amountsMinor: [1_000_00, 50_000_00, 300_000_00], penaltyBp: null },
    ...{ compounding: false, reinvestment: false },
  },
  {
    ...{ ...always, provider: 'alpha', category: 'Venture', name: 'Green Energy', riskLevel: 'HIGH' },
    status: 'PAUSED',
    shortDescription: 'Wind and solar parks before they are built.',
    description: 'Pays for the planning of wind and solar parks and sells those that are permitted.',
    ...{ returnBp: [-2_000, 2_500, 1_100], returnType: 'VARIABLE', payoutFrequency: 'MONTHLY' },
    ...{ days: [365, 1_460, 180], amountsMinor: [500_00, 20_000_00, null], penaltyBp: 2_000 },
    ...{ compounding: true, reinvestment: true },
  },
];
