import { SingleBar } from 'cli-progress';
import { seedConfig, type SeedConfig } from '../sql/config';
import { sealingKeys } from '../sealing/config';
import { connect } from '../sql/connection';
import { MEMBER_PASSWORD, NAMED_ACCOUNTS } from './seed/demo-accounts';
import { administrator } from './seed/people';
import { seed, type SeedProgress } from './seed/plan';
import type { SeedOptions } from './seed/step';

/** The seed's options by the environment. Demo data are added outside production unless SEED_DEMO is false. */
export function seedOptionsOf(config: SeedConfig, at = new Date()): SeedOptions {
  const production = config.NODE_ENV === 'production';
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  return {
    demo: config.SEED_DEMO ?? !production,
    production,
    administrator: email !== undefined && password !== undefined ? { email, password } : null,
    at,
  };
}

async function main(): Promise<void> {
  const config = seedConfig();
  const options = seedOptionsOf(config);
  // The demo has secrets to seal; an ordinary deployment's job needs no keys.
  const db = connect(config, 'seed', undefined, options.demo ? { keys: sealingKeys() } : {});
  const bar = progressBar();
  try {
    const added = await seed(db, options, bar.show);
    bar.stop();
    console.log(reportOf(options, added));
    if (options.demo) console.log(accountList());
  } finally {
    bar.stop();
    await db.sequelize.close();
  }
}

/** The report of a run. It mentions a configured administrator who was not added, whose password does not work. */
export function reportOf(options: Pick<SeedOptions, 'administrator'>, added: readonly string[]): string {
  const isUnused = options.administrator !== null && !added.includes(administrator.title);
  return [
    added.length === 0 ? 'Seed: everything is there already.' : `Seed: added ${added.join(', ')}.`,
    ...(isUnused
      ? [
          'Seed: ADMIN_EMAIL and ADMIN_PASSWORD were not used, for there is a SUPER_ADMIN already: `npm run admins -- list` shows who.',
        ]
      : []),
  ].join('\n');
}

/** A progress bar on a terminal; without one nothing is shown, since it would fill a log. */
function progressBar(): { show: (progress: SeedProgress) => void; stop: () => void } {
  if (!process.stdout.isTTY) return { show: () => undefined, stop: () => undefined };
  const bar = new SingleBar({ format: 'Seeding [{bar}] {title}', clearOnComplete: true, hideCursor: true });
  return {
    show({ title, done, all }) {
      if (!bar.isActive) bar.start(all, 0, { title });
      bar.update(done, { title });
    },
    stop: () => bar.stop(),
  };
}

/** The demo accounts, for people who try the platform. */
function accountList(): string {
  const line = (email: string, password: string, role: string) =>
    `  ${email.padEnd(24)}${password.padEnd(20)}${role}`;
  return [
    'Demo accounts:',
    ...NAMED_ACCOUNTS.map((account) => line(account.email, account.password, account.role)),
    line('member1..25@example.com', MEMBER_PASSWORD, 'USER'),
  ].join('\n');
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
