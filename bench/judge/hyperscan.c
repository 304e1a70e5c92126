// The physical limit: Hyperscan over the same words and messages, caseless, no folding.
// usage: hyperscan <words file> <messages file>, one a line; prints messages per second and messages hit
#include <hs/hs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
  *(int *)context = 1;
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  size_t size;
  char **words, **messages;
  size_t *wordLengths, *messageLengths;
  char *text = slurp(argv[1], &size);
  size_t wordCount = split(text, size, &words, &wordLengths);
  text = slurp(argv[2], &size);
  size_t count = split(text, size, &messages, &messageLengths);
  unsigned int *flags = malloc(wordCount * sizeof *flags), *ids = malloc(wordCount * sizeof *ids);
  for (size_t i = 0; i < wordCount; i++) { flags[i] = HS_FLAG_CASELESS | HS_FLAG_SINGLEMATCH; ids[i] = (unsigned)i; }
  hs_database_t *database;
  hs_compile_error_t *error;
  if (hs_compile_lit_multi((const char *const *)words, flags, ids, wordLengths, (unsigned)wordCount, HS_MODE_BLOCK, NULL, &database, &error) != HS_SUCCESS) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
  }
  hs_scratch_t *scratch = NULL;
  hs_alloc_scratch(database, &scratch);
  double best = 0;
  size_t hits = 0;
  for (int round = 0; round < 3; round++) {
    struct timespec a, b;
    hits = 0;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (size_t i = 0; i < count; i++) {
      int hit = 0;
      hs_scan(database, messages[i], (unsigned)messageLengths[i], 0, scratch, found, &hit);
      hits += (size_t)hit;
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    double rate = count / ((b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9);
    if (rate > best) best = rate;
  }
  printf("%.0f %zu\n", best, hits);
  return 0;
}
