export { builtins } from './builtins.ts';
export { checkList, checkRule, checkTerm } from './check.ts';
export type { SerialisedJudge } from './compile.ts';
export { compile, Judge } from './judge.ts';
export { languageCodes, languageList } from './languages.ts';
export { type KeywordLint, lintKeyword } from './lint.ts';
export { MEDIA_LABELS } from './media.ts';
export type * from './types.ts';
export { CompileError } from './types.ts';
