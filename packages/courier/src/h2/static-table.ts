/** RFC 7541, appendix A: the static table, entry n at position n - 1, `name=value`. */
const ENTRIES =
  ':authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|:status=204|:status=206|:status=304|' +
  ':status=400|:status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|accept-language|accept-ranges|accept|' +
  'access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|content-language|content-length|' +
  'content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|' +
  'if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|' +
  'server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate';

export const STATIC_TABLE: readonly (readonly [name: string, value: string])[] = ENTRIES.split('|').map((entry) => {
  const cut = entry.indexOf('=');
  return cut === -1 ? [entry, ''] : [entry.slice(0, cut), entry.slice(cut + 1)];
});

export const STATIC_ENTRIES = STATIC_TABLE.length;

const nameIndex = new Map<string, number>();
const fieldIndex = new Map<string, number>();
for (const [position, [name, value]] of STATIC_TABLE.entries()) {
  if (!nameIndex.has(name)) nameIndex.set(name, position + 1);
  if (value !== '') fieldIndex.set(`${name}=${value}`, position + 1);
}

/** The first entry with this name, or 0. */
export function staticName(name: string): number {
  return nameIndex.get(name) ?? 0;
}

/** The entry with this name and value, or 0. */
export function staticField(name: string, value: string): number {
  return fieldIndex.get(`${name}=${value}`) ?? 0;
}
