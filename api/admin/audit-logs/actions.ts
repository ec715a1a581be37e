import { z } from 'zod';
import {
  actionsOn,
  AUDITED_ACTIONS,
  AUDITED_ENTITIES,
} from '../../../db/administration/audit/audit-vocabulary';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';

const AuditVocabulary = z
  .object({
    actions: z
      .array(z.string())
      .meta({ description: 'The actions that records can have.', example: ['user.suspend'] }),
    entityTypes: z
      .array(
        z.object({
          entityType: z.string().describe('The kind of thing that was changed, such as `order`.'),
          actions: z.array(z.string()).describe('The actions on things of this kind.'),
        }),
      )
      .describe('The kinds of things that can be changed, with the actions of each.'),
  })
  .meta({ id: 'AuditVocabulary', description: 'Every action and type of entity that is recorded.' });

export const listAuditActions = endpoint({
  id: 'listAuditActions',
  returns: 'The actions and entity types that records can have',
  method: 'get',
  path: '/admin/audit-logs/actions',
  summary: 'List the actions that are recorded',
  description: 'The values of the filters `action` and `entityType`, which take them in any case of letters.',
  tag: 'Administration: audit',
  auth: 'admin',
  limit: perMinute(200),

  success: 200,
  data: AuditVocabulary,
  errors: {},

  handle() {
    const entityTypes = AUDITED_ENTITIES.map((entityType) => ({
      entityType,
      actions: actionsOn(entityType),
    }));
    return Promise.resolve({ actions: [...AUDITED_ACTIONS].sort(), entityTypes });
  },
});
