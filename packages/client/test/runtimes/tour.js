/** What a program does with the client, the same in every runtime: nothing here is of Node, or of a browser. */
export async function tour(client, { url, appId, apikey, authToken, webhook }) {
  const { GatehouseClient, GatehouseError, verifyWebhook } = client;
  const app = new GatehouseClient({ url, credentials: { apikey } });
  const ids = ['tour-1', 'tour-2', 'tour-3'];
  for (const id of ids) await app.createKeywordList({ body: { id, searchTerms: [`${id} é`, 'a, b'] } });
  const listed = [];
  for await (const { id } of app.all('listKeywordLists', { limit: 2 })) if (ids.includes(id)) listed.push(id);

  const form = new FormData();
  form.append('id', 'tour-4');
  form.append('file', new Blob(['from a file\n'], { type: 'text/csv' }), 'words.csv');
  const { data: uploaded } = await app.createKeywordList({ body: form });

  const refused = await app.createRule({ body: { id: 'bad id!' } }).catch((error) => error);
  const exported = await (await app.exportKeywordList({ id: 'tour-1' })).text();
  const event = await verifyWebhook(webhook.secret, new Headers(webhook.headers), webhook.body);
  return {
    listed: listed.sort(),
    uploaded: uploaded.id,
    refused: refused instanceof GatehouseError && [refused.status, refused.code],
    exported,
    event: event.trigger,
    device: await deviceTour(client, { url, appId, authToken }),
  };
}

/** What a page of any origin may do. */
export async function deviceTour({ GatehouseClient }, { url, appId, authToken }) {
  const device = new GatehouseClient({ url, appId, credentials: { authToken } });
  const body = { platform: 'apns_ios_device', deviceToken: 'ab'.repeat(32), providerId: 'apns-main' };
  const registered = await device.registerPushToken({ body });
  const removed = await device.deletePushToken({ pushToken: 'ab'.repeat(32) });
  return [registered.data.success, removed.data.success];
}
