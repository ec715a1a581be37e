import { changeProfile } from '../../db/identity/user/account.writes';
import { removeAvatar } from '../../db/identity/user/avatar.writes';
import { inTransaction } from '../../db/sql/transaction';
import { refusal } from '../../workflows/errors';
import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits/limits';
import { removeUnwanted } from '../media/kept-picture';
import { given } from './given';
import { ownAccount } from './own-account';
import { ProfileChange, ProfileView } from './profile.view';

/** What an identity document was held against. */
const VERIFIED = ['firstName', 'lastName', 'middleName', 'dateOfBirth'] as const;

export const changeMyProfile = endpoint({
  method: 'patch',
  path: '/users/me/profile',
  summary: 'Change my profile',
  description:
    'What is left out stays; null empties. Once an identity document was approved, names and date of birth stay as they are.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: ProfileChange,
  success: 200,
  data: ProfileView,
  errors: {},

  async handle({ body: { avatarUrl, ...fields } }, context) {
    const { caller, db } = context;
    const changes = given(fields);
    const touched = VERIFIED.filter((field) => changes[field] !== undefined);
    const unwanted = await inTransaction(db, async (tx) => {
      // Chosen: they would no longer be those of the document. Before that they may be put right (INFO_MISMATCH).
      if (!(await changeProfile(tx, caller.id, changes, { onlyUnverified: touched.length > 0 })))
        throw refusal(
          'VALIDATION_ERROR',
          'The request is not valid.',
          Object.fromEntries(touched.map((field) => [field, ['was verified and stays as it is']])),
        );
      return avatarUrl === null ? removeAvatar(tx, caller.id) : [];
    });
    await removeUnwanted(context, unwanted);
    return (await ownAccount(context)).profile;
  },
});
