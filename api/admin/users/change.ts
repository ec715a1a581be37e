import { v7 } from 'uuid';
import { z } from 'zod';
import { changeUser, type AdministeredOutcome } from '../../../db/identity/user-administration.writes';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/fields';
import { perMinute } from '../../http/limits';
import {
  birthDate,
  email,
  language,
  middleName,
  personName,
  phoneNumber,
  timezone,
} from '../../http/person-fields';
import { invalid } from '../../http/validation';
import { oneUser } from './standing';
import { Role, UserStatusField } from './user.view';

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
        dateOfBirth: birthDate().optional(),
        language: language().optional(),
        timezone: timezone().optional(),
      })
      .optional(),
    roles: z
      .array(Role)
      .min(1)
      .max(ROLES.length)
      .optional()
      .meta({ description: 'All roles that the user then has; for a SUPER_ADMIN only.', example: ['USER'] }),
    note: text({ min: 1, max: 2_000 }).optional().meta({ example: 'Called about the new address.' }),
  })
  .meta({ id: 'ChangeUserRequest' });

const ChangedUser = z
  .object({
    id: z.uuid(),
    email: z.string(),
    phone: z.string().nullable(),
    status: UserStatusField,
    profile: z.object({
      firstName: z.string(),
      lastName: z.string(),
      middleName: z.string().nullable(),
      dateOfBirth: z.string().nullable(),
      language: z.string().nullable(),
      timezone: z.string().nullable(),
    }),
    roles: z.array(z.string()),
    updatedAt: z.iso.datetime(),
    updatedBy: z.uuid(),
  })
  .meta({ id: 'ChangedUser' });

export const changeUserEndpoint = endpoint({
  method: 'patch',
  path: '/admin/users/:id',
  summary: 'Change a user, or note something about them',
  description: 'What is left out stays as it is. Only a SUPER_ADMIN sets roles or changes a SUPER_ADMIN.',
  tag: 'Administration: users',
  auth: 'admin',
  limit: perMinute(200),

  params: oneUser,
  body: ChangeUserRequest,
  success: 200,
  data: ChangedUser,
  errors: { USER_NOT_FOUND: 404, CANNOT_MODIFY_SUPER_ADMIN: 403, EMAIL_ALREADY_EXISTS: 409 },

  async handle({ params: { id }, body: { profile, roles, note, ...account } }, context) {
    const { caller, db, recordSecurityEvent, request } = context;
    if (roles && !caller.roles.includes('SUPER_ADMIN'))
      throw refusal('FORBIDDEN', 'Only a SUPER_ADMIN sets roles.');
    const done = await changeUser(db, {
      userId: id,
      changes: { ...account, ...profile, roles: roles && ROLES.filter((role) => roles.includes(role)) },
      note: note === undefined ? null : { id: v7(), content: note },
      by: { id: caller.id, roles: caller.roles, clientAddress: request.clientAddress },
    });
    if (done.outcome !== 'done') throw refusalOf(done.outcome);
    if (roles)
      recordSecurityEvent({ event: 'role-change', outcome: 'success', account: id, reason: roles.join() });
    const { email, phone, status, updatedAt, ...user } = done.user;
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

function refusalOf(outcome: Exclude<AdministeredOutcome['outcome'], 'done'>): Error {
  switch (outcome) {
    case 'unknown user':
      return refusal('USER_NOT_FOUND', 'There is no such user.');
    case 'a super admin':
      return refusal('CANNOT_MODIFY_SUPER_ADMIN', 'Only a SUPER_ADMIN changes a SUPER_ADMIN.');
    case 'the last super admin':
      return refusal('CANNOT_MODIFY_SUPER_ADMIN', 'The last SUPER_ADMIN keeps the role.');
    case 'email taken':
      return refusal('EMAIL_ALREADY_EXISTS', 'Another account of this region has this e-mail address.');
    // Chosen: document 3 names no code for it.
    case 'phone taken':
      return invalid({ phone: ['belongs to another account of this region'] });
  }
}
