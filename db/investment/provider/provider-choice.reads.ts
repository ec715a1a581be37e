import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Provider } from './provider.model';

/** True if there is an active provider of this code. It stays as it is until the end of the transaction. */
export const isActiveProvider = async (tx: Tx, code: string): Promise<boolean> =>
  (await table(tx, Provider).one(['code'], { code, isActive: true }, { lock: 'SHARE' })) !== null;

/** The code of the only active provider; null if there is none or more than one. */
export async function onlyActiveProvider(tx: Tx): Promise<string | null> {
  const found = await table(tx, Provider).all(
    ['code'],
    { isActive: true },
    { order: [['code', 'ASC']], limit: 2 },
  );
  return found.length === 1 ? (found[0]?.code ?? null) : null;
}
