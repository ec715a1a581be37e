import { Client, Connection } from '@temporalio/client';
import { BlobConfig } from '../../db/blobs/config';
import { diskBlobs } from '../../db/blobs/disk';
import { databaseConfig, environment } from '../../db/sql/config';
import { connectForLongWork } from '../../db/sql/connection';
import { temporalServer } from '../../db/sql/environment/temporal';
import { readVariables } from '../../db/sql/environment/variables';
import { blobInvariants, brokenBlobs } from '../../db/invariants/blob-checks';
import { brokenInvariants } from '../../db/invariants/broken.reads';
import { invariantList } from '../../db/invariants/invariant-list';
import { policyConfig } from '../../db/policy/config';
import type { Broken } from '../../db/invariants/invariant';
import { checkProcesses, processInvariants } from './check-processes';
import { workerConfig } from '../config';

/** The exit code. 0: everything holds; 1: something is broken; 2: the check failed. */
export type ExitCode = 0 | 1 | 2;

/** Checks database, files and processes against all invariants and writes a report for a person. */
export async function checkInvariants(write: (text: string) => void): Promise<ExitCode> {
  try {
    const broken = await findBroken();
    write(report(broken));
    return broken.length === 0 ? 0 : 1;
  } catch (error) {
    write(`The invariants could not be checked: ${reasonsOf(error).join(' ')}\n`);
    return 2;
  }
}

/** The messages of an error and its causes. */
function reasonsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [error.message || error.name, ...(error.cause === undefined ? [] : reasonsOf(error.cause))];
}

async function findBroken(): Promise<Broken[]> {
  const config = workerConfig();
  const { TEMPORAL_NAMESPACE: namespace, SEALING_KEYS: keys } = config;
  const { BLOB_DIR: folder } = readVariables(BlobConfig, environment());
  const db = connectForLongWork(databaseConfig(), 'invariants', undefined, { keys });
  try {
    const connection = await Connection.connect(temporalServer(config));
    try {
      const client = new Client({ connection, namespace });
      return [
        ...(await brokenInvariants(db, { eventPatienceDays: policyConfig().eventPatienceDays })),
        ...(await brokenBlobs(db, diskBlobs(folder), { checkMs: Infinity })),
        ...(await checkProcesses(client, db)),
      ];
    } finally {
      await connection.close();
    }
  } finally {
    await db.sequelize.close();
  }
}

function report(broken: readonly Broken[]): string {
  const rules = [
    ...invariantList.map(({ id, says }) => [id, says] as const),
    ...Object.entries({ ...blobInvariants, ...processInvariants }),
  ];
  const sections = rules.flatMap(([id, says]) => {
    const lines = broken
      .filter(({ invariant }) => invariant === id)
      .map(({ entity, detail }) => `    ${entity}: ${detail}`);
    return lines.length === 0 ? [] : [`BROKEN ${id}: ${says}`, ...lines];
  });
  const count = new Set(broken.map(({ invariant }) => invariant)).size;
  return [...sections, `${rules.length - count} of ${rules.length} invariants hold.`, ''].join('\n');
}

async function main(): Promise<void> {
  process.exitCode = await checkInvariants((text) => process.stdout.write(text));
}

if (require.main === module) void main();
