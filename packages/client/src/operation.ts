/** What the client knows of an operation; the table of all is generated. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** The inputs that travel in the query. */
  query?: readonly string[];
  /** The service does it once however often the same Idempotency-Key comes. */
  once?: true;
  /** Where a page of the listing keeps its records. */
  items?: readonly string[];
}
