// Measures one client in a process of its own: node client.mjs NAME PUSHES WINDOW < server details
import { readFileSync } from 'node:fs';
import { peers } from './peers.mjs';

const [name = '', pushesText = '0', windowText = '0'] = process.argv.slice(2);
const server = JSON.parse(readFileSync(0, 'utf8'));
const [pushes, window] = [Number(pushesText), Number(windowText)];
const peer = await peers[name](server);

async function run(count) {
  let sent = 0;
  let ended = 0;
  let bad = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  if (peer.sendMany) {
    for (let i = 0; i < count; i += 500) await peer.sendMany(i, 500, (ok) => ok || bad++);
  } else {
    await new Promise((resolve) => {
      let filling = false;
      const done = (ok) => {
        if (!ok) bad++;
        ended++;
        if (ended === count) resolve();
        else if (!filling) fill();
      };
      const fill = () => {
        filling = true;
        while (sent < count && sent - ended < window && peer.send(sent, done)) sent++;
        filling = false;
      };
      fill();
    });
  }
  const used = process.cpuUsage(cpu);
  const seconds = (performance.now() - start) / 1000;
  return {
    cpuUs: (used.user + used.system) / count,
    perSecond: count / seconds,
    bad,
  };
}

// Warm up first: what is measured is a sender that has been at it for a while.
await run(Math.min(pushes, Math.max(500, Math.floor(pushes / 4))));
console.log(JSON.stringify(await run(pushes)));
process.exit(0);
