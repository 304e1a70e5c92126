/** The tour in Deno: what it needs comes on standard input, what came of it goes to standard output. */
import * as client from '../../dist/index.js';
import { tour } from './tour.js';

const { Deno } = globalThis;
const given = await new Response(Deno.stdin.readable).json();
await new Response(JSON.stringify(await tour(client, given))).body.pipeTo(Deno.stdout.writable);
