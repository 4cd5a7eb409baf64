#ifndef CPOSIXSPAWN_H
#define CPOSIXSPAWN_H

#include <spawn.h>

/* Extensions of posix_spawn and pipe that Swift doesn't import. Each returns 0 or an errno. */

/* Runs the child in `folder`. */
int cposixspawn_add_folder(posix_spawn_file_actions_t *actions, const char *folder);

/* Closes all files from number `first` on in the child. Does nothing on Darwin, where a spawn attribute does it. */
int cposixspawn_add_close_from(posix_spawn_file_actions_t *actions, int first);

/* Makes a pipe whose ends children don't inherit. */
int cposixspawn_pipe(int ends[2]);

#endif
