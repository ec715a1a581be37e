import { collected, filed, idOf, statusReport } from '../../../../support/builders/payouts/bank-files';
import type { Arrange } from '../arranged';

const file: Arrange = async ({ world }) => ({ params: { id: (await filed(world.db)).fileId } });

/** Endpoints about files for the bank. */
export const bankFileArrangements: Readonly<Record<string, Arrange>> = {
  'POST /admin/bank-files': async ({ world }) => {
    await collected(world.db);
    return {};
  },
  'POST /admin/bank-files/collected/:id/refuse': async ({ world }) => {
    const [name] = await collected(world.db);
    return { params: { id: idOf(name!) } };
  },
  'GET /admin/bank-files': async ({ world }) => {
    await filed(world.db);
    return {};
  },
  'GET /admin/bank-files/collected': async ({ world }) => {
    await collected(world.db);
    return {};
  },
  'GET /admin/bank-files/:id': file,
  'GET /admin/bank-files/:id/file': file,
  'POST /admin/bank-files/:id/withdraw': file,
  'POST /admin/bank-files/:id/status-report': async ({ world }) => {
    const { fileId, transfers } = await filed(world.db);
    const report = statusReport(fileId, [{ transfer: transfers[0]!, status: 'ACSC' }]);
    return {
      params: { id: fileId },
      sending: (request) => request.attach('file', report, 'report.xml'),
    };
  },
};
