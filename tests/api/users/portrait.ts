import { readdir } from 'node:fs/promises';
import type { Response } from 'supertest';
import { rows } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { signIn } from '../../support/builders/sign-in';
import type { World } from '../../support/worlds/world';

export const AVATAR = '/api/v1/users/me/avatar';

/** A user who uploads avatars. */
export async function sitter(world: World) {
  const user = await make.user(world.db);
  const token = await signIn(world, user);
  const post = () => world.http.post(AVATAR).auth(token, { type: 'bearer' });
  const upload = (bytes: Buffer, filename = 'me.jpg', contentType = 'image/jpeg') =>
    post().attach('file', bytes, { filename, contentType });
  const me = async () =>
    (await world.http.get('/api/v1/users/me').auth(token, { type: 'bearer' })).body.data.profile;
  const kept = () =>
    rows<{ name: string }>(world.db, 'SELECT name FROM media WHERE owner_id = $1', [user.id]);
  return { user, token, post, upload, me, kept };
}

/** The number of blobs on the disk. */
export const blobFiles = async ({ blobDir }: World): Promise<number> =>
  (await readdir(blobDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

export const refused = ({ status, body }: Response): [number, string] => [status, body.error.code];
