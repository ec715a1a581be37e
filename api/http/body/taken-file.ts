/** The file that an endpoint takes, as the part `field` of multipart/form-data; `memory` is by default `files`. */
export interface Upload {
  field: string;
  maxBytes: number;
  memory?: 'files' | 'documents';
}
