const fixed = (value, digits = 1) => (value === undefined ? '-' : value.toFixed(digits));
const count = (value) => (value === undefined ? '-' : Math.round(value).toLocaleString('en'));
const PEER_OF = { 'firebase-admin': 'ours, fcm', 'web-push': 'ours, web push' };

function peerOf(name) {
  return PEER_OF[name] ?? (name.includes('to nghttpd') ? 'ours, to nghttpd' : 'ours');
}

function speedRow(results, name, result) {
  if (result.error !== undefined) return `| ${name} | not measured: ${result.error} | | | |`;
  const isOurs = name.startsWith('ours') && name !== 'ours on node:http2';
  const times = isOurs ? '' : `${fixed(result.median / results.get(peerOf(name)).median)}x`;
  return `| ${name} | ${fixed(result.median, 2)} | ${fixed(result.best, 2)} | ${count(result.perSecond)} | ${times} |`;
}

function faultRow({ name, error, met, ...row }) {
  if (error !== undefined) return `| ${name} | ${error} |`;
  const cells = [row.sent, row.failed, row.lost, row.untried, row.wrong, row.duplicates];
  return `| ${name} | ${met.goaway} + ${met.cut} + ${met.refused} | ${cells.join(' | ')} |`;
}

/** The section of RESULTS.md. */
export function report(results, { rounds, simulatorUs, slow, memory, faults, load }) {
  const rows = [...results].map(([name, result]) => speedRow(results, name, result));
  return `## Courier

\`npm run bench:courier\`: one TLS connection to the simulator in a process of its own (2 cores, loopback), the same notification, each client in its own process; CPU is the client's. ${rounds} rounds over all clients in turn: median and best CPU, best rate. Each peer is compared with ours of its kind (APNs, FCM, Web Push, to nghttpd). web-push talks to a plain HTTPS server, as it speaks no HTTP/2; apns2 opens up to 32 connections. Load average while it ran: ${load} (other work on the same 2 cores lowers the rates most, the CPU figures less and the ratios least).

| Client | CPU us a push (median) | best | pushes/s | of ours of its kind |
|---|---|---|---|---|
${rows.join('\n')}

The simulator, which checks every header, signature and payload, used ${fixed(simulatorUs)} CPU us a push itself while ours sent: one core of it answers ${count(1e6 / simulatorUs)} pushes/s. The two last rows are the same pushes to nghttpd, a server in C that checks nothing.

With answers after 50 ms, one connection, 1,000 streams: ${count(slow.perSecond)} pushes/s.
1,000,000 pushes queued in one APNs sender: ${memory === null ? 'not measured' : `${memory.rssMb} MB resident for the whole process, ${memory.growthMb} MB of it for the queue`}.

### Faults

10,000 pushes, 300 at a time, through exactly 5 GOAWAYs, 5 cut sockets and 200 refused streams, each at a certain push and once (*met*: how many of each a client came by; one that gave up early met fewer). *Wrong*: told as sent and not accepted, or told as failed and accepted. *Lost*: no answer within 6 s (the clients' own time-out: 3 s where it can be set).

Ours resends what it was told is \`retry\`, under the same apns-id, as its callers do: that is where its duplicates come from. The others' failures are left to the caller, who cannot know which were accepted. Go's net/http is no push library and does not know that Apple takes one stream until the first good answer: much of what it tells as failed comes from there. web-push speaks no HTTP/2 and can meet neither GOAWAYs nor refused streams.

| Client | met | told as sent | told as failed | lost | untried after 45 s | wrong | duplicates |
|---|---|---|---|---|---|---|---|
${(faults ?? []).map(faultRow).join('\n')}
`;
}
