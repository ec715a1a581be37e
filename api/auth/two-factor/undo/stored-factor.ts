import { z } from 'zod';
import type { StoredSecondFactor } from '../../../../db/identity/second-factor/second-factor.writes';
import type { KeyRing } from '../../../../db/sealing/key-ring';
import { sealPurposes } from '../../../../db/sealing/purposes';
import { TwoFactorMethodField } from '../../../users/account.view';

const Kept = z.object({
  method: TwoFactorMethodField,
  secretSealed: z.base64().nullable(),
  lastStep: z.number(),
  codeHashes: z.array(z.string()),
});

/** Seals a second factor into the token that brings it back. */
export function sealKept(
  sealing: Pick<KeyRing, 'seal'>,
  tokenId: string,
  { secretSealed, ...factor }: StoredSecondFactor,
): Buffer {
  const kept = { ...factor, secretSealed: secretSealed?.toString('base64') ?? null };
  return sealing.seal(Buffer.from(JSON.stringify(kept)), sealPurposes.undo(tokenId));
}

/** The second factor that `sealKept` sealed. Throws Unsealable. */
export function openKept(
  sealing: Pick<KeyRing, 'open'>,
  tokenId: string,
  sealed: Buffer,
): StoredSecondFactor {
  const text = sealing.open(sealed, sealPurposes.undo(tokenId)).toString();
  const { secretSealed, ...factor } = Kept.parse(JSON.parse(text));
  return { ...factor, secretSealed: secretSealed === null ? null : Buffer.from(secretSealed, 'base64') };
}
