import { type Static, Type } from '#typebox';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Judging } from './judging.ts';
import type { Kept } from './kept.ts';
import type { MessageRow, Standing } from './message.ts';
import { createRuleRequest, type Rule } from './rule.ts';
import type { Rules } from './rules.ts';
import { type Trials, toTried } from './trial.ts';

const examplesMax = 20;
const rowsPerRead = 200;
/** A run looks at no more than this; the newest come first. */
const messagesMax = 100_000;

export const backtestRequest = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, description: 'How far back; all that is kept without it.' }),
    ),
    rule: Type.Optional(createRuleRequest),
    examples: Type.Optional(Type.Integer({ minimum: 0, maximum: examplesMax, default: 10 })),
  },
  { additionalProperties: false },
);

export const backtestAnswer = Type.Object({
  data: Type.Object({
    ruleId: Type.String(),
    judged: Type.Integer({ description: 'Messages that were looked at.' }),
    caught: Type.Integer({ description: 'Messages that the rule would have caught.' }),
    newlyCaught: Type.Integer({ description: 'Of those, the ones that were let through then.' }),
    from: Type.Integer({
      description: 'When the days began, in epoch seconds: only messages judged since then count.',
    }),
    isComplete: Type.Boolean({ description: 'false when there were more messages than one run looks at.' }),
    examples: Type.Array(
      Type.Object({
        messageId: Type.String(),
        sender: Type.String(),
        sentAt: Type.Integer(),
        text: Type.String(),
        status: Type.String(),
        matches: Type.Array(Type.Unknown()),
      }),
    ),
  }),
});

/** Where the request has the rule. */
const inRule = (): string => 'rule.';

type Result = Static<typeof backtestAnswer>['data'];

/** Tries a rule on the messages of the last days: what it would have caught, before it may act. */
export class Backtest {
  private readonly store: Store;
  private readonly parts: { rules: Rules; trials: Trials; judging: Judging; kept: Kept };
  private readonly daysKept: number;

  constructor(
    store: Store,
    parts: { rules: Rules; trials: Trials; judging: Judging; kept: Kept },
    options: { backtestDays: number },
  ) {
    this.store = store;
    this.parts = parts;
    this.daysKept = options.backtestDays;
  }

  /** The stored rule of that id, or the one that is sent in its place. */
  async run(appId: string, ruleId: string, request: Static<typeof backtestRequest>): Promise<Result> {
    if (this.daysKept === 0) throw new ApiError('ERR_BACKTEST_OFF');
    const { rules, trials, judging, kept } = this.parts;
    const sent = request.rule && toTried(appId, { ...request.rule, id: ruleId }, 0, inRule);
    const rule: Rule = { ...(sent ?? (await rules.getRule(appId, ruleId))), enabled: true };
    const { shadow: _shadow, ...acting } = rule;
    const snapshot = await trials.compileRules(appId, [acting], inRule);
    await kept.flush();
    const since = Date.now() - Math.min(request.days ?? this.daysKept, this.daysKept) * 86_400_000;
    const result: Result = {
      ruleId,
      judged: 0,
      caught: 0,
      newlyCaught: 0,
      from: Math.floor(since / 1000),
      isComplete: true,
      examples: [],
    };
    let place: [number, string] = [Number.MAX_SAFE_INTEGER, '\uffff'];
    while (result.judged < messagesMax) {
      const rows = await this.read(appId, place, since);
      const messages = rows.map(({ body }) => JSON.parse(body) as Standing);
      const judged = await judging.judgeMany(appId, messages, snapshot);
      for (const [i, { matches }] of judged.entries()) {
        const row = rows[i];
        const message = messages[i];
        result.judged++;
        if (row === undefined || message === undefined || matches.length === 0) continue;
        result.caught++;
        if (row.status === 'approved') result.newlyCaught++;
        if (result.examples.length < (request.examples ?? 10)) result.examples.push(toExample(row, message, matches));
      }
      const last = rows.at(-1);
      if (rows.length < rowsPerRead || last === undefined) return result;
      place = [last.sent_at, last.id];
    }
    return { ...result, isComplete: false };
  }

  private read(appId: string, [sentAt, id]: [number, string], since: number): Promise<MessageRow[]> {
    return this.store.all<MessageRow>(
      `SELECT * FROM messages WHERE app_id = $1 AND (sent_at, id) < ($2, $3) AND created_at >= $4
       ORDER BY sent_at DESC, id DESC LIMIT ${rowsPerRead}`,
      [appId, sentAt, id, since],
    );
  }
}

function toExample(row: MessageRow, message: Standing, matches: readonly unknown[]): Result['examples'][number] {
  const text = (message.data?.text ?? JSON.stringify(message.data?.customData ?? '')).slice(0, 500);
  return {
    messageId: row.id,
    sender: row.sender,
    sentAt: row.sent_at,
    text,
    status: row.status,
    matches: [...matches],
  };
}
