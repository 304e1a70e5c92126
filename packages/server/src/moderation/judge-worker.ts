/** The entry of the thread that judges long messages. It holds the judges it was sent until it is told to forget them. */
import { parentPort } from 'node:worker_threads';
import { Judge, type Message, type SerialisedJudge, type Verdict } from '@gatehouse/judge';
import { trimmed } from './trim.ts';

export type JudgeRequest =
  | { kind: 'hold'; key: number; judge: SerialisedJudge }
  | { kind: 'forget'; key: number }
  | { kind: 'judge'; key: number; message: Message };
export type JudgeAnswer = { verdict: Verdict } | { failure: string };

if (parentPort === null) throw new Error('judge-worker.ts is the entry of a worker thread.');
const port = parentPort;
const judges = new Map<number, Judge>();

port.on('message', (request: JudgeRequest) => {
  switch (request.kind) {
    case 'hold':
      judges.set(request.key, Judge.from(request.judge));
      return;
    case 'forget':
      judges.delete(request.key);
      return;
    case 'judge':
      port.postMessage(answer(judges.get(request.key), request.message));
      return;
  }
});

function answer(judge: Judge | undefined, message: Message): JudgeAnswer {
  if (judge === undefined) return { failure: 'No such judge is held.' };
  try {
    return { verdict: trimmed(judge.judge(message)) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
