import { fileTypeFromBuffer } from 'file-type/core';
import { refusal } from '../../workflows/errors';
import type { Drawing, Drawn, PictureDrawer } from '../http/body/picture-drawer';
import { Busy } from '../http/limits/gate';
import type { Decoder } from './decoder';
import type { PictureFormat } from './draw';

const FORMATS: Readonly<Record<string, PictureFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
};
/** Retry-After of a picture that was not drawn in time. */
const SLOW_RETRY_SECONDS = 10;

/** Draws pictures in the decoder's process. */
export class Pictures implements PictureDrawer {
  constructor(private readonly decoder: Pick<Decoder, 'do'>) {}

  async draw(bytes: Buffer, drawings: readonly Drawing[], clientGone: AbortSignal): Promise<Drawn[]> {
    const claimed = await fileTypeFromBuffer(bytes);
    const format = claimed && FORMATS[claimed.mime];
    if (format === undefined) throw noPicture('is not a JPEG, PNG or WebP image');
    const outcome = await this.decoder.do({ bytes, format, drawings }, clientGone);
    if (outcome === 'unavailable') throw new Busy();
    if (outcome === 'timed out') throw new Busy(SLOW_RETRY_SECONDS);
    if (outcome === 'crashed') throw noPicture('takes too much memory to decode');
    if ('unacceptable' in outcome) throw noPicture(outcome.unacceptable);
    return outcome.drawn;
  }
}

const noPicture = (why: string): Error =>
  refusal('INVALID_FILE_TYPE', 'The file must be a JPEG, PNG or WebP image.', { file: [why] });
