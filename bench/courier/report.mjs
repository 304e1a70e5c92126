const fixed = (value, digits = 1) => (value === undefined ? '-' : value.toFixed(digits));
const count = (value) => (value === undefined ? '-' : Math.round(value).toLocaleString('en'));

/** The section of RESULTS.md. */
export function report(results, { hasGo, memory, faults, load }) {
  const slow = results.get('50 ms');
  const peerOf = { 'firebase-admin': 'ours, fcm', 'web-push': 'ours, web push' };
  const ours = (name) => results.get(peerOf[name] ?? 'ours')?.median?.cpuUs;
  const rows = [...results]
    .filter(([name]) => name !== '50 ms')
    .map(([name, result]) => {
      if (result.error) return `| ${name} | not measured: ${result.error} | | | |`;
      const times =
        name.startsWith('ours') && name !== 'ours on node:http2' ? '' : `${fixed(result.median.cpuUs / ours(name))}x`;
      return `| ${name} | ${fixed(result.median.cpuUs, 2)} | ${fixed(result.best.cpuUs, 2)} | ${count(result.best.perSecond)} | ${times} |`;
    });
  const faultRows =
    faults?.map(
      (row) =>
        `| ${row.name} | ${row.error ?? [row.sent, row.failed, row.lost, row.untried, row.wrong, row.duplicates].join(' | ')} |`,
    ) ?? [];
  return `## Courier

\`npm run bench:courier\`: one TLS connection to the simulator in a process of its own (2 cores, loopback), the same notification, each client in its own process; CPU is the client's. Each peer is compared with ours of its kind (APNs, FCM, Web Push). web-push talks to a plain HTTPS server, as it speaks no HTTP/2; apns2 opens up to 32 connections; h2load gets a 404 for each request and accounts for nothing. Load average while it ran: ${load}.

| Client | CPU us a push (median) | best | pushes/s | of ours of its kind |
|---|---|---|---|---|
${rows.join('\n')}

${hasGo ? '' : "Go's net/http was not measured: no `go` on the machine.\n"}
With answers after 50 ms, one connection, 1,000 streams: ${count(slow?.best?.perSecond)} pushes/s.
1,000,000 pushes queued in one APNs sender: ${memory === null ? 'not measured' : `${memory.rssMb} MB resident for the whole process, ${memory.growthMb} MB of it for the queue`}.

### Faults

10,000 pushes through 5 GOAWAYs, 5 cut sockets and about 200 refused streams. *Wrong*: told as sent and not accepted, or told as failed, without saying that it is unknown, and accepted. *Lost*: no answer within 6 s (the clients' own time-out: 3 s).

Ours resends what it was told is \`retry\`, under the same apns-id, as its callers do: that is where its duplicates come from. The peers' failures are left to the caller, who cannot know which were accepted.

| Client | told as sent | told as failed | lost | untried after 45 s | wrong | duplicates |
|---|---|---|---|---|---|---|
${faultRows.join('\n')}
`;
}
