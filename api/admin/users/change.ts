import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import {
  birthDate,
  email,
  language,
  middleName,
  personName,
  phoneNumber,
  timezone,
} from '../../http/request/person-fields';
import { changeUser } from './change.command';
import { oneUser } from './one-user';
import { Role, UserStatusField } from '../../users/account.view';

const ROLES = Role.options;

const ChangeUserRequest = z
  .object({
    email: email().optional(),
    phone: phoneNumber().nullish(),
    profile: z
      .object({
        firstName: personName().optional(),
        lastName: personName().optional(),
        middleName: middleName().nullish(),
        dateOfBirth: birthDate().nullish(),
        language: language().nullish(),
        timezone: timezone().nullish(),
      })
      .optional()
      .describe('Names and what else the user says about themselves.'),
    roles: z
      .array(Role)
      .min(1)
      .max(ROLES.length)
      .optional()
      .meta({ description: 'All roles that the user then has; for a SUPER_ADMIN only.', example: ['USER'] }),
    note: text({ min: 1, max: 2_000 }).optional().meta({
      description: 'A note by an administrator.',
      example: 'Called about the new address.',
    }),
  })
  .meta({ id: 'ChangeUserRequest' });

const ChangedUser = z
  .object({
    id: z.uuid(),
    email: z.string(),
    phone: z.string().nullable(),
    status: UserStatusField,
    profile: z
      .object({
        firstName: z.string(),
        lastName: z.string(),
        middleName: z.string().nullable(),
        dateOfBirth: z.string().nullable(),
        language: z.string().nullable().describe('A BCP 47 tag, such as de-DE.'),
        timezone: z
          .string()
          .nullable()
          .describe('A name of the IANA time zone database, such as Europe/Berlin.'),
      })
      .describe('Names and what else the user says about themselves.'),
    roles: z.array(z.string()).describe('Every role of the account.'),
    updatedAt: z.iso.datetime(),
    updatedBy: z.uuid().describe('The administrator who did it.'),
  })
  .meta({ id: 'ChangedUser' });

export const changeUserEndpoint = endpoint({
  id: 'updateUser',
  returns: 'The user as they are now',
  method: 'patch',
  path: '/admin/users/:id',
  summary: 'Change a user, or add a note about them',
  description:
    'What is left out stays as it is; null clears a field. Only a SUPER_ADMIN sets other roles or changes an ADMIN, notes included; nobody changes a SUPER_ADMIN or an own account here. A new email address or phone number ends the user’s sessions and voids sent codes; the user is informed, at the old address or number too.',
  tag: 'Administration: users',
  auth: 'admin',
  limit: perMinute(200),

  params: oneUser(),
  body: ChangeUserRequest,
  example: {
    email: undefined,
    phone: undefined,
    profile: { firstName: 'Amelie', lastName: 'Aumann' },
    roles: undefined,
  },
  success: 200,
  data: ChangedUser,
  errors: { USER_NOT_FOUND: 404, CANNOT_MODIFY_SUPER_ADMIN: 403, EMAIL_ALREADY_EXISTS: 409 },

  async handle({ params: { id }, body: { profile, roles, note, ...account } }, context) {
    const { caller, db, recordSecurityEvent, request } = context;
    const changed = await changeUser(db, {
      userId: id,
      changes: { ...account, ...profile, roles: roles && ROLES.filter((role) => roles.includes(role)) },
      note: note ?? null,
      by: { id: caller.id, clientAddress: request.clientAddress },
    });
    const { email, phone, status, updatedAt, changedFields, ...user } = changed;
    if (changedFields.includes('roles'))
      recordSecurityEvent({
        event: 'role-change',
        outcome: 'success',
        account: id,
        reason: user.roles.join(),
      });
    const { firstName, lastName, middleName, dateOfBirth, language, timezone } = user;
    return {
      id,
      email,
      phone,
      status,
      profile: { firstName, lastName, middleName, dateOfBirth, language, timezone },
      roles: user.roles,
      updatedAt: updatedAt.toISOString(),
      updatedBy: caller.id,
    };
  },
});
