// Loaded before anything else in every thread of a service under test: its clock on the wall reads what the file says too
// much or too little. Timers and the steady clock go on as they do when a real clock is set.
import { readFileSync } from 'node:fs';

const file = process.env.SHIFTED_CLOCK ?? '';
const real = Date.now;
let shift = 0;
const read = () => {
  const text = readFileSync(file, 'utf8');
  if (text !== '') shift = Number(text);
};
read();
setInterval(read, 10).unref();
Date.now = () => Math.floor(real() + shift);
