/** The entry of a compiler thread: gathers a ruleset that arrives in pieces and sends back the compiled judge. */
import { parentPort } from 'node:worker_threads';
import type { List, Rule } from '@gatehouse/judge';
import { compile, type SerialisedJudge } from '@gatehouse/judge';
import { builtInLists } from './builtins.ts';
import type { ListSource } from './ruleset.ts';
import { linesOf } from './terms.ts';

export type CompileRequest =
  | { kind: 'begin'; rules: readonly Rule[]; lists: readonly ListSource[] }
  | { kind: 'terms'; list: number; chunks: readonly string[] }
  | { kind: 'compile' };
export type CompileAnswer = { judge: SerialisedJudge } | { failure: string };

if (parentPort === null) throw new Error('compile-worker.ts is the entry of a worker thread.');
const port = parentPort;
let rules: readonly Rule[] = [];
let lists: (List & { terms: string[] })[] = [];

port.on('message', (request: CompileRequest) => {
  switch (request.kind) {
    case 'begin':
      rules = request.rules;
      lists = request.lists.map(({ id, category, options, upload }) => ({
        id,
        category,
        ...options,
        terms: upload === '' ? [...(builtInLists.get(id)?.terms ?? [])] : [],
      }));
      return;
    case 'terms':
      for (const chunk of request.chunks) lists[request.list]?.terms.push(...linesOf(chunk));
      return;
    case 'compile':
      port.postMessage(answer());
      rules = [];
      lists = [];
      return;
  }
});

function answer(): CompileAnswer {
  try {
    return { judge: compile({ rules, lists }).serialise() };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
