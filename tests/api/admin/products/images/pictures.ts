import type { AdminWorld } from '../../admin-world';
import { picture } from '../../../users/pictures';

/** Sends a picture for a product, by default as an administrator. */
export const sendPicture = async (
  { world, tokens }: AdminWorld,
  id: string,
  fields: Record<string, string> = {},
  { file, token = tokens.admin }: { file?: Buffer; token?: string | null } = {},
) => {
  const request = world.http.post(`/api/v1/admin/products/${id}/images`);
  if (token !== null) void request.auth(token, { type: 'bearer' });
  for (const [name, value] of Object.entries(fields)) void request.field(name, value);
  return request.attach('file', file ?? (await picture('png')), 'picture.png');
};

/** The pictures of a product as the shop shows them. */
export const shownImages = async ({ world }: AdminWorld, id: string) => {
  const { body } = await world.http.get(`/api/v1/products/${id}`);
  return body.data.images as {
    id: string;
    isPrimary: boolean;
    position: number;
    url: string;
    alt: string | null;
  }[];
};

/** The picture that our own URL answers. */
export const at = ({ world }: AdminWorld, url: string) => world.http.get(new URL(url).pathname).buffer(true);
