import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Provider } from './provider.model';

/** True if there is an active provider of this code. It stays as it is until the end of the transaction. */
export const isActiveProvider = async (tx: Tx, code: string): Promise<boolean> =>
  (await table(tx, Provider).one(['code'], { code, isActive: true }, { lock: 'SHARE' })) !== null;
