#include <sqlite3.h>

/* Has the connection refuse text in double quotes, which SQLite otherwise takes for a string where no column has that name.
   sqlite3_db_config takes a variable number of arguments, which Swift can't call. */
static inline void csqlite_refuse_double_quoted_text(sqlite3 *connection) {
#if SQLITE_VERSION_NUMBER >= 3029000
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
#else
    (void)connection;
#endif
}
