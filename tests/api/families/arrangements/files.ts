import type { Test } from 'supertest';
import { z } from 'zod';
import type { Endpoint } from '../../../../api/http/endpoint';
import { onePage } from '../../../support/fakes/pdf-files';
import { picture } from '../../users/pictures';
import { shapeOf } from '../../../support/resources/schemas';

/** The form that an endpoint takes: a document or a picture, and the fields that it requires. */
export async function formFor({
  upload,
  body,
}: Endpoint): Promise<{ sending: (request: Test) => Test } | undefined> {
  if (!upload) return undefined;
  const isDocument = upload.memory === 'documents';
  const file = isDocument ? onePage() : await picture('png');
  const name = isDocument ? 'document.pdf' : 'picture.png';
  const fields = Object.entries(shapeOf(body)).filter(([, field]) => !z.safeParse(field, undefined).success);
  return {
    sending: (request) =>
      fields
        .reduce((form, [field, schema]) => form.field(field, sampleOf(schema)), request)
        .attach(upload.field, file, name),
  };
}

/** The example of a text, or the first of its choices. */
const sampleOf = (field: z.core.$ZodType): string =>
  z.string().parse(field instanceof z.ZodEnum ? field.options[0] : z.globalRegistry.get(field)?.['example']);
