import { z } from 'zod';
import { migrateUp } from '../../schema/migrate';
import { databaseConfig } from '../../sql/config';
import { connect } from '../../sql/connection';
import type { Db } from '../../sql/query';
import { waitingWork, type WaitingKind } from '../operations/waiting/waiting-work.reads';
import { uncomparedDays } from './restore.reads';
import { beginRestore, NUMBER_GAP, releaseRestores } from './restore.writes';

const USAGE = `After a restore of the database: payouts and refunds are held until a person has compared what was sent.
  npm run restored -- begin TIME          once the copy is restored, before the platform starts; TIME: of the copy, such as
                                          2026-01-31T04:00:00Z. Brings the schema up to date first.
  npm run restored -- release NAME NOTE   money is sent again. NAME: who says so; NOTE: what was compared
`;

/** 0: done, or nothing to do; 1: refused; 2: unknown command, or the database was unreachable. */
export type ExitCode = 0 | 1 | 2;

/** The refusal of a command; its message is for the operator. */
class Refused extends Error {}

/** The clock of the machine of the copy may be fast. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** The kinds of work that a person looks at before a release. */
const LOOKED_AT: readonly WaitingKind[] = [
  'PARKED_PROCESSES',
  'DEAD_REPORTS',
  'PROVIDER_DIFFERENCES',
  'OWED_REFUNDS',
  'PAYOUTS_BY_HAND',
  'WALLET_WITHDRAWALS_BY_HAND',
  'WITHDRAWALS_BY_HAND',
  'COLLECTED_TRANSFERS',
];

/** Holds money after a restore, and releases it, for operators; the API does neither. */
export async function afterRestore(
  args: readonly string[],
  write: (text: string) => void,
): Promise<ExitCode> {
  const [verb, ...words] = args;
  try {
    if (verb === 'begin' && words.length === 1) await begin(words[0] ?? '', write);
    else if (verb === 'release' && words.length <= 2) await release(words, write);
    else {
      write(USAGE);
      return 2;
    }
    return 0;
  } catch (error) {
    write(`${(error as Error).message}\n`);
    return error instanceof Refused ? 1 : 2;
  }
}

async function begin(text: string, write: (text: string) => void): Promise<void> {
  const now = Date.now();
  const time = Date.parse(z.iso.datetime({ offset: true }).safeParse(text).data ?? '');
  if (!(time <= now + CLOCKS_DIFFER_MS))
    throw new Refused(
      `"${text}" is not the time of a copy: give it with its zone, such as 2026-01-31T04:00:00Z.`,
    );
  const { DATABASE_URL: programUrl, DATABASE_OWNER_URL: url = programUrl } = databaseConfig();
  const copiedAt = new Date(Math.min(time, now));
  // The copy may be of an older release, whose schema has no table for it. Only the owner advances sequences.
  await migrateUp(url, programUrl);
  await withDatabase(url, async (db) => {
    if (!(await beginRestore(db, copiedAt)))
      throw new Refused(
        `There are less than ${NUMBER_GAP} numbers of orders, top-ups, participations or entrances left.`,
      );
  });
  write(`Restored from the copy of ${copiedAt.toISOString()}: payouts and refunds are held.\n`);
}

async function release(words: readonly string[], write: (text: string) => void): Promise<void> {
  const [releasedBy = '', note = ''] = words.map((word) => word.trim());
  const { DATABASE_URL: url } = databaseConfig();
  await withDatabase(url, async (db) => {
    write(await whatIsOpen(db));
    if (releasedBy === '' || note === '')
      throw new Refused('Not released: say who releases it, and what was compared.');
    const released = await releaseRestores(db, { releasedBy, note });
    write(released === 0 ? 'No restore waits for its release.\n' : 'Released: money is sent again.\n');
  });
}

async function whatIsOpen(db: Db): Promise<string> {
  const waiting = (await waitingWork(db)).filter(({ kind, count }) => count > 0 && LOOKED_AT.includes(kind));
  const lines = [
    ...waiting.map(({ kind, count }) => `${kind}: ${count}`),
    ...(await uncomparedDays(db)).map(({ provider, days }) => `${provider} not compared: ${days.join(', ')}`),
  ];
  return lines.length === 0
    ? 'Nothing is open.\n'
    : `Still open:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

async function withDatabase(url: string, work: (db: Db) => Promise<void>): Promise<void> {
  const db = connect({ DATABASE_URL: url, DATABASE_POOL_MAX: 2 }, 'restored');
  try {
    await work(db);
  } finally {
    await db.sequelize.close();
  }
}

if (require.main === module)
  void afterRestore(process.argv.slice(2), (text) => process.stdout.write(text)).then((code) => {
    process.exitCode = code;
  });
