// The physical limit: Hyperscan over the same words and messages (UTF-8), one hs_scan a message, a callback a match; no
// folding but ASCII case, no word boundaries, no offsets of starts.
// usage: hyperscan <words file> <messages file> <rounds> [exact], one a line; prints messages per second (for each
// slice of 250 messages its best round), messages hit and matches
#include <hs/hs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Short enough to fit between two turns of a busy scheduler.
#define SLICE 250

static char *slurp(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) { perror(path); exit(1); }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*size + 1);
  if (fread(text, 1, *size, file) != *size) exit(1);
  text[*size] = 0;
  fclose(file);
  return text;
}

static size_t split(char *text, size_t size, char ***lines, size_t **lengths) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++) count += text[i] == '\n';
  *lines = malloc(count * sizeof(char *));
  *lengths = malloc(count * sizeof(size_t));
  char *start = text;
  for (size_t i = 0, n = 0; i < size; i++) {
    if (text[i] != '\n') continue;
    text[i] = 0;
    (*lines)[n] = start;
    (*lengths)[n++] = (size_t)(text + i - start);
    start = text + i + 1;
  }
  return count;
}

static int found(unsigned int id, unsigned long long from, unsigned long long to, unsigned int flags, void *context) {
  (void)id; (void)from; (void)to; (void)flags;
  ++*(size_t *)context;
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int rounds = atoi(argv[3]);
  unsigned int caseless = argc > 4 ? 0 : HS_FLAG_CASELESS;
  size_t size;
  char **words, **messages;
  size_t *wordLengths, *messageLengths;
  char *text = slurp(argv[1], &size);
  size_t wordCount = split(text, size, &words, &wordLengths);
  text = slurp(argv[2], &size);
  size_t count = split(text, size, &messages, &messageLengths);
  unsigned int *flags = malloc(wordCount * sizeof *flags), *ids = malloc(wordCount * sizeof *ids);
  for (size_t i = 0; i < wordCount; i++) { flags[i] = caseless | HS_FLAG_SINGLEMATCH; ids[i] = (unsigned)i; }
  hs_database_t *database;
  hs_compile_error_t *error;
  if (hs_compile_lit_multi((const char *const *)words, flags, ids, wordLengths, (unsigned)wordCount, HS_MODE_BLOCK, NULL, &database, &error) != HS_SUCCESS) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
  }
  hs_scratch_t *scratch = NULL;
  hs_alloc_scratch(database, &scratch);
  size_t slices = (count + SLICE - 1) / SLICE, hits = 0, matches = 0;
  double *best = malloc(slices * sizeof *best), total = 0;
  for (int round = 0; round < rounds; round++) {
    hits = matches = 0;
    for (size_t slice = 0; slice < slices; slice++) {
      size_t end = (slice + 1) * SLICE < count ? (slice + 1) * SLICE : count;
      struct timespec a, b;
      clock_gettime(CLOCK_MONOTONIC, &a);
      for (size_t i = slice * SLICE; i < end; i++) {
        size_t found_here = 0;
        hs_scan(database, messages[i], (unsigned)messageLengths[i], 0, scratch, found, &found_here);
        hits += found_here > 0;
        matches += found_here;
      }
      clock_gettime(CLOCK_MONOTONIC, &b);
      double took = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9;
      if (round == 0 || took < best[slice]) best[slice] = took;
    }
  }
  for (size_t slice = 0; slice < slices; slice++) total += best[slice];
  printf("%.0f %zu %zu\n", count / total, hits, matches);
  return 0;
}
