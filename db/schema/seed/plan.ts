import { execute, type Db } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { demoCatalogue } from './catalogue';
import { demoCoupons } from './coupons';
import { refuseDemoAdministrators } from './demo-administrators';
import { demoProviders, ownProvider } from './investment/providers';
import { demoStrategies } from './investment/strategies';
import { administrator, demoPeople } from './people';
import { demoPartners } from './partners/network';
import { shipping } from './shipping';
import type { SeedStep, SeedOptions } from './step';
import { taxRates } from './taxes';
import { demoVerifications } from './verifications';

/** An arbitrary number, different from that of every other advisory lock. */
const SEED_LOCK = 7_310_213;

const REQUIRED: readonly SeedStep[] = [taxRates, shipping, administrator, ownProvider];
const DEMO: readonly SeedStep[] = [
  demoCatalogue,
  demoCoupons,
  demoPeople,
  demoPartners,
  demoVerifications,
  demoProviders,
  demoStrategies,
];

/** The step that begins now, and the counts of finished steps and of all. */
export interface SeedProgress {
  title: string;
  done: number;
  all: number;
}

/**
 * Adds the data that the platform requires, and the demo by option, in one transaction. Existing data are not changed,
 * so it may run at every start, also concurrently. Returns the titles of the steps that it added. In production it
 * rejects with DemoAdministratorError where a demo password opens an administrator.
 */
export async function seed(
  db: Db,
  options: SeedOptions,
  report: (progress: SeedProgress) => void = () => undefined,
): Promise<string[]> {
  const steps = options.demo ? [...REQUIRED, ...DEMO] : REQUIRED;
  return inTransaction(db, async (tx) => {
    await execute(tx, `SELECT pg_advisory_xact_lock(${SEED_LOCK})`);
    if (options.production) await refuseDemoAdministrators(tx);
    const added: string[] = [];
    for (const [done, { title, isMissing, add }] of steps.entries()) {
      report({ title, done, all: steps.length });
      if (!(await isMissing(tx, options))) continue;
      await add(tx, options);
      added.push(title);
    }
    report({ title: 'done', done: steps.length, all: steps.length });
    return added;
  });
}
