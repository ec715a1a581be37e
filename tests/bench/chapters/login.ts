import type { Client } from '../client';
import { duel } from '../duel';
import { PASSWORD } from '../setting/people';
import type { Row } from '../row';
import type { Findings, Shop } from './chapter';

/** Signing in, which is mostly Argon2, against Argon2 and the same rows. */
export async function login({ stage, buyers, levels, pace }: Shop): Promise<Findings> {
  const { api, bare, postgres } = stage;
  const signingIn =
    (ask: Client) =>
    async (caller: number): Promise<undefined> => {
      // From the end: signing in often ends older sessions, and the first buyers are shopping.
      const { email } = buyers.at(-1 - caller)!;
      await ask({ method: 'POST', path: '/auth/login', body: { email, password: PASSWORD } });
    };
  const rows: Row[] = [];
  for (const callers of levels) {
    const figures = await duel(
      {
        ours: { operation: signingIn(api.ask), servers: { api: api.pid, PostgreSQL: postgres.pid } },
        bare: { operation: signingIn(bare.ask), servers: { server: bare.pid, PostgreSQL: postgres.pid } },
      },
      callers,
      pace,
    );
    rows.push({ measured: 'login', callers, ...figures });
  }
  return { rows, facts: [] };
}
