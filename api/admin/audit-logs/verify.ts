import { z } from 'zod';
import { verifyAuditChain } from '../../../db/administration/audit/audit.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';

export const verifyAuditLogs = endpoint({
  id: 'verifyAuditLog',
  returns: 'Whether the chain of records is unbroken',
  method: 'get',
  path: '/admin/audit-logs/verify',
  summary: 'Check that no audit record was altered or is gone',
  description:
    'Recomputes the hash of every record from the first, under keys that the database does not know. `brokenAt` is the first record that does not follow from the one before it, or, if the end is gone, the last one that an earlier check saw.',
  tag: 'Administration: audit',
  auth: 'admin',
  limit: perMinute(5),

  success: 200,
  data: z
    .object({
      valid: z.boolean().describe('True if no record was altered or removed.'),
      checked: z.int().describe('How many records were checked.'),
      brokenAt: z.uuid().nullable().describe('The first record that was altered; null if there is none.'),
    })
    .meta({ id: 'AuditVerification' }),
  errors: {},

  handle: (_request, { db }) => verifyAuditChain(db),
});
