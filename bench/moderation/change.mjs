/** What others notice of a rule change: requests sent all along, with and without a change under way. */
import { median } from '../load.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);

export async function measureChange(baseUrl, headers) {
  const ask = (path, method, body) =>
    fetch(`${baseUrl}/v3/moderation${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const check = async (text) => {
    const message = { sender: 'a', receiver: 'b', receiverType: 'user', data: { text } };
    return (await (await ask('/check', 'POST', message)).json()).data;
  };
  const slowestUntil = async (done) => {
    let slowest = 0;
    const over = done.then(() => true);
    for (let isOver = false; !isOver; ) {
      const started = performance.now();
      await check('hello there');
      slowest = Math.max(slowest, performance.now() - started);
      isOver = await Promise.race([over, new Promise((resolve) => setTimeout(() => resolve(false), 1))]);
    }
    return slowest;
  };
  const [acts, during, without] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const word = `zzround${round}`;
    const rule = {
      name: 'Changed',
      action: ['blockMessage'],
      conditions: [{ operand: 'text', category: 'word', value: [word] }],
    };
    const started = performance.now();
    const change = ask('/rules/bench-1', 'PUT', rule).then(async (response) => {
      if (!response.ok) throw new Error(await response.text());
      acts.push(performance.now() - started);
    });
    during.push(await slowestUntil(change));
    if ((await check(`now ${word}`)).verdict !== 'block') throw new Error('The change did not act at once.');
    const wait = acts.at(-1) ?? 100;
    without.push(await slowestUntil(new Promise((resolve) => setTimeout(resolve, wait))));
  }
  return { rounds, actsMs: median(acts), duringMs: median(during), withoutMs: median(without) };
}
