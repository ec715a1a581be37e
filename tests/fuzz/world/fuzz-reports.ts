import { v7 } from 'uuid';
import { execute, type Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { utcDayAgo } from '../../support/builders/make/reconciliations';
import { operationsIn } from './fuzz-operations';
import type { Dictionaries } from './fuzz-world';

/** Reports that no replay can apply, investments that a provider has reported and nobody has, and what else waits for operators. */
export const reportsIn = async (db: Db): Promise<Dictionaries> => ({
  webhookEvents: await deadReports(db),
  differences: await differencesOf(db),
  reconciliationDifferences: await reconciledIn(db),
  reconciledProviders: ['sandbox'],
  utcDays: [2, 3, 4].map(utcDayAgo),
  ...(await operationsIn(db, 3)),
});

/** Differences with payment providers: transfers that only these know. */
async function reconciledIn(db: Db): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await make.difference(db)).id);
  return ids;
}

async function differencesOf(db: Db): Promise<string[]> {
  const ids = Array.from({ length: 3 }, () => v7());
  await execute(
    db,
    `INSERT INTO investment_differences (id, provider_code, investment_external_id, kind, currency, reported_minor,
       found_at, last_seen_at)
     SELECT id, 'alpha', id::text, 'UNKNOWN_HERE', 'USD', 50000, now(), now() FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  return ids;
}

async function deadReports(db: Db): Promise<string[]> {
  const ids = Array.from({ length: 3 }, () => v7());
  await execute(
    db,
    `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at,
       started_at, processed_at)
     SELECT id, 'INVESTMENT', 'alpha', id::text, 'profit.distributed', '{}', '', 'DEAD', now(), now(), now()
     FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  return ids;
}
