import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { removeUnwanted } from '../../media/stored-picture';
import { sentFields } from '../../http/request/sent-fields';
import { ownAccount } from '../own-account';
import { changeOwnProfile } from './change.command';
import { ProfileChange, ProfileView } from './profile.view';

export const changeMyProfile = endpoint({
  id: 'updateProfile',
  returns: 'The profile as it is now',
  method: 'patch',
  path: '/users/me/profile',
  summary: 'Change my profile',
  description:
    'What is left out stays; null clears the field. Once an identity document was approved, names and date of birth stay as they are.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: ProfileChange,
  success: 200,
  data: ProfileView,
  errors: {},

  async handle({ body }, context) {
    const { caller, db } = context;
    const unwanted = await changeOwnProfile(db, caller.id, sentFields(body));
    await removeUnwanted(context, unwanted);
    return (await ownAccount(context)).profile;
  },
});
