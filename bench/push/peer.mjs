// The comparison: the same pushes with @parse/node-apn in a loop over a list in memory. Nothing is durable, nothing is counted but the answers.
import { peers } from '../courier/peers.mjs';

const [server, total] = JSON.parse(process.argv[2]);
const client = await peers['@parse/node-apn'](server);
const cpu = process.cpuUsage();
const began = performance.now();
let next = 0;
let sent = 0;
await new Promise((resolve) => {
  let open = 0;
  const more = () => {
    while (open < 1000 && next < total) {
      open++;
      client.send(next++, (ok) => {
        open--;
        if (ok) sent++;
        if (next === total && open === 0) resolve();
        else more();
      });
    }
  };
  more();
});
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({ sent, perSecond: sent / seconds, cpuUs: (user + system) / total }));
process.exit(0);
