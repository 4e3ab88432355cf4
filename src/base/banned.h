/* Functions that are not used here: unbounded, locale-dependent, not thread-safe or through a
   shell. Included last, after the system headers that declare them. A call of system is banned too,
   by tools/lint_tree.sh: poisoned, the word could name nothing at all, not even a server. */
#ifndef ASSAY_BASE_BANNED_H
#define ASSAY_BASE_BANNED_H

#pragma GCC poison strcpy strcat strncpy sprintf vsprintf strtok atoi atof gets
#pragma GCC poison gmtime localtime ctime

#endif
