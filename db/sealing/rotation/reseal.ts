import { databaseConfig } from '../../sql/config';
import { connectForLongWork } from '../../sql/connection';
import type { Db } from '../../sql/query';
import { sealingKeys } from '../config';
import type { KeyRing } from '../key-ring';
import { keysKept, keysInUse, type KeyUse } from './key-use.reads';
import { renewCodes, resealColumn, type Tally } from './reseal.writes';
import { KEYED_CODES, SEALED_COLUMNS } from './sealed-columns';

const USAGE = `Seals under the first key of SEALING_KEYS what is sealed under another.
  npm run reseal               may run beside the programs, be interrupted and be repeated
  npm run reseal -- --check    changes nothing: tells what each key is still needed for
`;

/** The most ids that are listed of one column. */
const MOST_IDS = 20;

/** 0: everything is under the first key; 1: something is not; 2: unknown command, or it could not be carried out. */
export type ExitCode = 0 | 1 | 2;

/** The operator's command. Prints counts and ids, never a secret. */
export async function reseal(args: readonly string[], write: (text: string) => void): Promise<ExitCode> {
  const isCheck = args.join() === '--check';
  if (args.length > 0 && !isCheck) {
    write(USAGE);
    return 2;
  }
  try {
    const keys = sealingKeys();
    const db = connectForLongWork(databaseConfig(), 'reseal', undefined, { keys });
    try {
      if (!isCheck) await resealAll(db, keys, write);
      return await reportUse(db, keys, write);
    } finally {
      await db.sequelize.close();
    }
  } catch (error) {
    write(`${(error as Error).message}\n`);
    return 2;
  }
}

async function resealAll(db: Db, keys: KeyRing, write: (text: string) => void): Promise<void> {
  for (const column of SEALED_COLUMNS)
    write(lineOf(`${column.table}.${column.column}`, 'sealed', await resealColumn(db, keys, column)));
  for (const code of KEYED_CODES)
    write(lineOf(`${code.table}.${code.mac}`, 'coded', await renewCodes(db, keys, code)));
}

function lineOf(name: string, done: string, { renewed, changed, unopened }: Tally): string {
  const skipped = changed > 0 ? `, ${changed} changed meanwhile` : '';
  const ids = unopened.slice(0, MOST_IDS).map((id) => `    ${id}\n`);
  const more = unopened.length > MOST_IDS ? `    and ${unopened.length - MOST_IDS} more\n` : '';
  const failed = unopened.length > 0 ? `, ${unopened.length} do not open:\n${ids.join('')}${more}` : '\n';
  return `${name}: ${renewed} ${done} anew${skipped}${failed}`;
}

/** Tells for each key what it is needed for. */
async function reportUse(db: Db, keys: KeyRing, write: (text: string) => void): Promise<ExitCode> {
  const [sealed, kept] = [await keysInUse(db, keys), await keysKept(db)];
  const named = [...sealed, ...kept].flatMap(({ keyId }) => keyId ?? []);
  for (const keyId of new Set([...keys.keyIds, ...named])) {
    const ofKey = (uses: readonly KeyUse[]) => uses.filter((use) => use.keyId === keyId);
    write(`\nKey ${keyId}: ${judgement(keys, keyId, ofKey(sealed), ofKey(kept))}\n`);
    for (const { column, count } of [...ofKey(sealed), ...ofKey(kept)]) write(`    ${column}: ${count}\n`);
  }
  const unnamed = sealed.filter(({ keyId }) => keyId === null);
  for (const { column, count } of unnamed) write(`\n${column}: ${count} values are not sealed bytes.\n`);
  return sealed.every(({ keyId }) => keyId === keys.sealsWith) ? 0 : 1;
}

function judgement(keys: KeyRing, keyId: string, sealed: readonly KeyUse[], kept: readonly KeyUse[]): string {
  if (!keys.has(keyId)) return 'NOT ON THE RING, and needed.';
  if (keyId === keys.sealsWith) return 'seals.';
  if (sealed.length > 0) return 'still needed. Run npm run reseal.';
  if (kept.length > 0) return 'seals nothing. Records that are kept are verified by it: keep it on the ring.';
  return 'not needed any more. Take it off SEALING_KEYS everywhere.';
}

if (require.main === module)
  void reseal(process.argv.slice(2), (text) => process.stdout.write(text)).then((code) => {
    process.exitCode = code;
  });
