#ifndef CSPAWNING_H
#define CSPAWNING_H

#include <spawn.h>

/* What the C library has beyond POSIX and Swift's import of it leaves out. Each returns 0, or the number of an error. */

/* The child runs in `folder`. */
int spawning_add_folder(posix_spawn_file_actions_t *actions, const char *folder);

/* The child has no open file from `first` on. Nothing to do where an attribute of the spawn says so (Darwin). */
int spawning_add_close_from(posix_spawn_file_actions_t *actions, int first);

/* A pipe whose ends no program inherits that is spawned without naming them. */
int spawning_pipe(int ends[2]);

#endif
