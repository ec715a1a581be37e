/** How a picture is to be drawn: at most so many pixels each way, or cut around its middle to a square of that side. */
export interface Drawing {
  side: number;
  fit: 'inside' | 'square';
}

/** A picture as drawn: WebP, with its sides in pixels. */
export interface Drawn {
  bytes: Buffer;
  width: number;
  height: number;
}

/** Draws pictures that clients send. */
export interface PictureDrawer {
  /**
   * The picture as WebP, drawn in each of these ways. Refuses with INVALID_FILE_TYPE what is not wholly a JPEG, PNG or
   * WebP picture of reasonable size; rejects with `Busy` when too many wait, it is not drawn in time, or the client has
   * gone before its turn.
   */
  draw: (bytes: Buffer, drawings: readonly Drawing[], clientGone: AbortSignal) => Promise<Drawn[]>;
}
