/**
 * Public surface:
 *
 *   compile(ruleset): Judge                    throws CompileError with every problem at once
 *   judge.judge(message): Verdict              never throws
 *   judge.serialise(): SerialisedJudge         plain data and shared buffers: postMessage it from a worker
 *   Judge.from(serialised): Judge              milliseconds, whatever the number of keywords
 *   judge.outside: OutsideCondition[]          what the caller has to decide and hand back in Message.outside
 *   checkRule(rule, lists?): Problem[]         the same checks as compile, for the moment a rule is written
 *   checkList(list): Problem[]
 *   lintKeyword(entry, fold?): KeywordLint     which dictionary words an entry would hit
 *   builtins                                   profanity list, phone and e-mail patterns, the built-in rules
 */
export type * from './types.ts';
export { CompileError } from './types.ts';
