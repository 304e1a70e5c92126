// One client a name. `send(i)` answers a promise; ours calls back instead. All send the same notification to different tokens.
import { createPrivateKey, sign } from 'node:crypto';
import http2 from 'node:http2';
import { createRequire } from 'node:module';
import {
  createApnsSender,
  createFcmSender,
  createWebPushSender,
  generateVapidKeys,
} from '../../packages/courier/dist/index.js';

const require = createRequire(import.meta.url);
const TITLE = 'New message';
const BODY = 'Hello there, how are you doing today?';
export const tokens = Array.from({ length: 1024 }, (_, i) => (i * 7919).toString(16).padStart(64, 'a'));
export const tokenOf = (i) => tokens[i & 1023];
const notification = { title: TITLE, body: BODY, collapseId: 'conversation-1' };

function ours(sender, target, message) {
  return {
    send: (i, done) => sender.send(target(i), message, i, (_i, outcome) => done(outcome.kind === 'sent')),
    close: () => sender.close(),
  };
}

export const peers = {
  ours(server) {
    const sender = createApnsSender({ ...server.apns, production: false, ca: server.ca, connectionsMax: 1 });
    return ours(sender, tokenOf, sender.prepare(notification));
  },
  'ours, a new message a push'(server) {
    const sender = createApnsSender({ ...server.apns, production: false, ca: server.ca, connectionsMax: 1 });
    return {
      send: (i, done) => {
        const message = sender.prepare({ title: TITLE, body: `${BODY} ${i}`, collapseId: `conversation-${i & 255}` });
        return sender.send(tokenOf(i), message, i, (_i, outcome) => done(outcome.kind === 'sent'));
      },
      close: () => sender.close(),
    };
  },
  'ours, fcm'(server) {
    const options = { ...server.fcm, ca: server.ca, connectionsMax: 4, rampMs: 0, pushesPerMinute: 600_000_000 };
    const sender = createFcmSender(options);
    return ours(sender, (i) => `fcm-${tokenOf(i)}`, sender.prepare(notification));
  },
  'ours, web push'(server) {
    const sender = createWebPushSender({
      vapid: generateVapidKeys(),
      subject: 'mailto:a@example.com',
      ca: server.ca,
      allowPrivate: true,
    });
    return ours(sender, () => server.subscription, sender.prepare(notification));
  },
  'ours on node:http2'(server) {
    const sender = createApnsSender({
      ...server.apns,
      production: false,
      ca: server.ca,
      connectionsMax: 1,
      transport: 'node',
    });
    return ours(sender, tokenOf, sender.prepare(notification));
  },
  async 'node:http2'(server) {
    const session = http2.connect(`https://${server.apns.host}`, { ca: server.ca });
    const { headers, body } = apnsPush(server);
    const payload = Buffer.from(body);
    const send = (i, done) => {
      const stream = session.request({ ':method': 'POST', ':path': `/3/device/${tokenOf(i)}`, ...headers });
      stream.on('response', (answer) => done(answer[':status'] === 200));
      stream.resume();
      stream.end(payload);
      return true;
    };
    // Apple takes one stream until the first good answer.
    await new Promise((resolve) => send(0, resolve));
    return { send, close: () => session.close() };
  },
  '@parse/node-apn'(server) {
    const apn = require('@parse/node-apn').default ?? require('@parse/node-apn');
    const [address, port] = server.apns.host.split(':');
    const { p8Key: key, keyId, teamId } = server.apns;
    const provider = new apn.Provider({
      token: { key, keyId, teamId },
      production: false,
      address,
      port: Number(port),
      requestTimeout: 3_000,
    });
    const note = new apn.Notification({
      alert: { title: TITLE, body: BODY },
      topic: server.apns.bundleId,
      collapseId: 'conversation-1',
      pushType: 'alert',
    });
    const send = (i, done) => {
      provider.send(note, tokenOf(i)).then(
        (result) => done(result.sent.length === 1),
        () => done(false),
      );
      return true;
    };
    return {
      send,
      sendTo: (token) => provider.send(note, token).then((result) => result.sent.length === 1),
      close: () => provider.shutdown(),
    };
  },
  async apns2(server) {
    const { ApnsClient, Notification } = await import('apns2');
    const [host, port] = server.apns.host.split(':');
    if (port !== undefined && port !== '443') throw new Error('apns2 knows no port but 443');
    const client = new ApnsClient({
      host,
      team: server.apns.teamId,
      keyId: server.apns.keyId,
      signingKey: server.apns.p8Key,
      defaultTopic: server.apns.bundleId,
    });
    client.on('error', () => undefined);
    const sendTo = (token) =>
      client.send(new Notification(token, { alert: { title: TITLE, body: BODY }, collapseId: 'conversation-1' })).then(
        () => true,
        () => false,
      );
    return { send: (i, done) => Boolean(sendTo(tokenOf(i)).then(done)), sendTo, close: () => client.destroy() };
  },
  'firebase-admin'(server) {
    const http2Module = require('node:http2');
    const connect = http2Module.connect;
    // Its host is fixed; only where that name leads is changed.
    http2Module.connect = (url, options) =>
      connect(url.replace('https://fcm.googleapis.com', server.fcm.endpoint), options);
    const admin = require('firebase-admin');
    let granted;
    const accessToken = async () => {
      granted ??= await grant(server);
      return granted;
    };
    const credential = {
      getAccessToken: async () => ({ access_token: await accessToken(), expires_in: 3_600 }),
    };
    const app = admin.initializeApp({ credential, projectId: server.fcm.serviceAccount.project_id });
    const messaging = admin.messaging(app);
    const message = { notification: { title: TITLE, body: BODY }, android: { collapseKey: 'conversation-1' } };
    // Its one way over HTTP/2: many in one call, each still a request.
    const sendBatch = async (targets) => {
      const result = await messaging.sendEach(targets.map((token) => ({ ...message, token })));
      return result.responses.map((each) => each.success);
    };
    const sendMany = async (first, count, done) => {
      const oks = await sendBatch(Array.from({ length: count }, (_, i) => `fcm-${tokenOf(first + i)}`));
      for (const ok of oks) done(ok);
    };
    return { sendMany, sendBatch, close: () => app.delete() };
  },
  'web-push'(server) {
    const webpush = require('web-push');
    const keys = webpush.generateVAPIDKeys();
    const { p256dh, auth } = server.subscription;
    const subscription = { endpoint: `https://localhost:${server.plainPort}/x`, keys: { p256dh, auth } };
    const agent = new (require('node:https').Agent)({ keepAlive: true, maxSockets: 20 });
    const vapidDetails = { subject: 'mailto:a@example.com', ...keys };
    const payload = JSON.stringify({ title: TITLE, body: BODY, tag: 'conversation-1' });
    const send = (_i, done) => {
      webpush.sendNotification(subscription, payload, { vapidDetails, agent }).then(
        () => done(true),
        () => done(false),
      );
      return true;
    };
    return { send, close: () => agent.destroy() };
  },
};

/** The notification as a push to Apple, for clients that know only HTTP. */
export function apnsPush(server) {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'ES256', kid: server.apns.keyId })}.${encode({ iss: server.apns.teamId, iat: Math.floor(Date.now() / 1000) })}`;
  const key = createPrivateKey(server.apns.p8Key);
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return {
    headers: {
      authorization: `bearer ${text}.${signature.toString('base64url')}`,
      'apns-topic': server.apns.bundleId,
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-collapse-id': 'conversation-1',
    },
    body: JSON.stringify({ aps: { alert: { title: TITLE, body: BODY } } }),
  };
}

async function grant(server) {
  const account = server.fcm.serviceAccount;
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    iss: account.client_email,
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
    aud: account.token_uri,
    iat,
    exp: iat + 3600,
  };
  const text = `${encode({ alg: 'RS256' })}.${encode(claims)}`;
  const assertion = `${text}.${sign('sha256', Buffer.from(text), createPrivateKey(account.private_key)).toString('base64url')}`;
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
  const answer = await fetch(account.token_uri, { method: 'POST', body });
  return (await answer.json()).access_token;
}
