#include "assay/ledger.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/text.h"

#include "base/banned.h"

#define APPLICATION_ID 1634955105 /* "assa": what `file` and we know a ledger by */
#define SCHEMA_VERSION 1
#define BUSY_MS 5000
#define MAX_PRICES (1u << 20)

#define PRICE_COLUMNS(X)            \
    X(id, "TEXT NOT NULL")          \
    X(provider, "TEXT NOT NULL")    \
    X(sku, "TEXT NOT NULL")         \
    X(region, "TEXT")               \
    X(accelerator, "TEXT NOT NULL") \
    X(count, "INTEGER NOT NULL")    \
    X(on_demand_usd_h, "REAL")      \
    X(reserved_1y_usd_h, "REAL")    \
    X(reserved_3y_usd_h, "REAL")    \
    X(spot_usd_h, "REAL")           \
    X(vcpus, "INTEGER")             \
    X(ram_gib, "REAL")              \
    X(nvme_gb, "REAL")              \
    X(host_source, "TEXT")          \
    X(date, "TEXT NOT NULL")        \
    X(source, "TEXT NOT NULL")      \
    X(note, "TEXT")

enum {
#define COLUMN_INDEX(name, type) AT_##name,
    PRICE_COLUMNS(COLUMN_INDEX) N_COLUMNS
};
const char *const assay_ledger_price_columns[] = {
#define COLUMN_NAME(name, type) #name,
    PRICE_COLUMNS(COLUMN_NAME) NULL};

struct assay_ledger {
    sqlite3 *db;
    char *path;
};

static assay_status_t refuse(const assay_ledger_t *ledger, assay_status_t status,
                             assay_error_t *err) {
    const assay_place_t at = {ledger->path, 0, 0};
    return assay_error_set(err, status, &at, "%s", sqlite3_errmsg(ledger->db));
}

static assay_status_t run(assay_ledger_t *ledger, const char *sql, assay_error_t *err) {
    return sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? ASSAY_OK
               : refuse(ledger, ASSAY_IO, err);
}

/* The one number that a PRAGMA answers; -1: it does not. */
static int ask(assay_ledger_t *ledger, const char *sql) {
    sqlite3_stmt *statement;
    int answer = -1;
    if (sqlite3_prepare_v2(ledger->db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        answer = sqlite3_column_int(statement, 0);
    }
    sqlite3_finalize(statement);
    return answer;
}

static assay_status_t create_tables(assay_ledger_t *ledger, assay_error_t *err) {
    static const char sql[] =
#define COLUMN_SQL(name, type) #name " " type ", "
        "BEGIN IMMEDIATE;"
        "CREATE TABLE price(" PRICE_COLUMNS(COLUMN_SQL) "PRIMARY KEY(id, date)) WITHOUT ROWID;"
                                                        "PRAGMA application_id = 1634955105;"
                                                        "PRAGMA user_version = 1;"
                                                        "COMMIT";
    const assay_status_t status = run(ledger, sql, err);
    if (status != ASSAY_OK) {
        (void)sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

/* A new file becomes a ledger, one of another program stays what it is. */
static assay_status_t check_schema(assay_ledger_t *ledger, bool create, assay_error_t *err) {
    const assay_place_t at = {ledger->path, 0, 0};
    const int application = ask(ledger, "PRAGMA application_id");
    const int version = ask(ledger, "PRAGMA user_version");
    if (application == 0 && version == 0 && create &&
        ask(ledger, "SELECT count(*) FROM sqlite_master") == 0) {
        return create_tables(ledger, err);
    }
    if (application != APPLICATION_ID) {
        assay_error_set(err, ASSAY_INPUT, &at, "is no ledger of assay");
        assay_error_next(err, "name another file with --ledger");
        return ASSAY_INPUT;
    }
    if (version > SCHEMA_VERSION) {
        assay_error_set(err, ASSAY_INPUT, &at, "was written by a newer assay");
        assay_error_next(err, "use that one, or another file");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

/* mkdir -p of what stands before the last '/'. */
static assay_status_t make_folders(const char *path, assay_error_t *err) {
    char *folder = strdup(path);
    if (!folder) {
        return assay_error_set(err, ASSAY_MEMORY, NULL, "out of memory");
    }
    assay_status_t status = ASSAY_OK;
    for (char *slash = strchr(folder + 1, '/'); slash && !status; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            const assay_place_t at = {folder, 0, 0};
            status = assay_error_set(err, ASSAY_IO, &at, "cannot be made: %s", strerror(errno));
        }
        *slash = '/';
    }
    free(folder);
    return status;
}

assay_status_t assay_ledger_open(const char *path, bool create, assay_ledger_t **out_ledger,
                                 assay_error_t *err) {
    const assay_place_t at = {path, 0, 0};
    struct stat st;
    const bool there = stat(path, &st) == 0;
    if (!there && !create) {
        return assay_error_set(err, ASSAY_NOT_FOUND, &at, "there is no such ledger");
    }
    if (there && !S_ISREG(st.st_mode)) {
        return assay_error_set(err, ASSAY_INPUT, &at, "is no ledger of assay");
    }
    assay_status_t status = there ? ASSAY_OK : make_folders(path, err);
    assay_ledger_t *ledger = status ? NULL : calloc(1, sizeof *ledger);
    if (!ledger) {
        return status ? status : assay_error_set(err, ASSAY_MEMORY, NULL, "out of memory");
    }
    ledger->path = strdup(path);
    const int flags = create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    if (!ledger->path) {
        status = assay_error_set(err, ASSAY_MEMORY, NULL, "out of memory");
    } else if (sqlite3_open_v2(path, &ledger->db, flags, NULL) != SQLITE_OK) {
        status = refuse(ledger, ASSAY_IO, err);
    } else {
        (void)sqlite3_busy_timeout(ledger->db, BUSY_MS);
        status = check_schema(ledger, create, err);
    }
    if (status != ASSAY_OK) {
        assay_ledger_close(ledger);
        return status;
    }
    *out_ledger = ledger;
    return ASSAY_OK;
}

void assay_ledger_close(assay_ledger_t *ledger) {
    if (ledger) {
        (void)sqlite3_close(ledger->db);
        free(ledger->path);
        free(ledger);
    }
}

static int bind_row(sqlite3_stmt *statement, const assay_csv_t *rows, uint32_t row,
                    const int column[N_COLUMNS]) {
    int result = sqlite3_reset(statement);
    for (int i = 0; i < N_COLUMNS && result == SQLITE_OK; i++) {
        const char *cell = assay_csv_cell(rows, row, column[i]);
        result = cell[0] != '\0' ? sqlite3_bind_text(statement, i + 1, cell, -1, SQLITE_STATIC)
                                 : sqlite3_bind_null(statement, i + 1);
    }
    return result;
}

assay_status_t assay_ledger_add_prices(assay_ledger_t *ledger, const assay_csv_t *rows,
                                       assay_error_t *err) {
    static const char sql[] =
        "INSERT OR REPLACE INTO price VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
    _Static_assert(N_COLUMNS == 17, "one mark a column");
    int column[N_COLUMNS];
    sqlite3_stmt *statement = NULL;
    for (int i = 0; i < N_COLUMNS; i++) {
        column[i] = assay_csv_column(rows, assay_ledger_price_columns[i]);
    }
    assay_status_t status = run(ledger, "BEGIN IMMEDIATE", err);
    if (status != ASSAY_OK) {
        return status;
    }
    if (sqlite3_prepare_v2(ledger->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        status = refuse(ledger, ASSAY_IO, err);
    }
    for (uint32_t row = 0; row < rows->n_rows && status == ASSAY_OK; row++) {
        if (bind_row(statement, rows, row, column) != SQLITE_OK ||
            sqlite3_step(statement) != SQLITE_DONE) {
            status = refuse(ledger, ASSAY_IO, err);
        }
    }
    sqlite3_finalize(statement);
    status = status ? status : run(ledger, "COMMIT", err);
    if (status != ASSAY_OK) {
        (void)sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

/* Makes room for one more row. */
static bool grow(assay_arena_t *arena, assay_csv_t *rows, uint32_t *inout_capacity) {
    if (rows->n_rows < *inout_capacity) {
        return true;
    }
    const uint32_t capacity = *inout_capacity ? 2 * *inout_capacity : 256;
    const char **cell = assay_arena_array(arena, (size_t)capacity * N_COLUMNS, sizeof *cell);
    uint32_t *line = assay_arena_array(arena, capacity, sizeof *line);
    if (!cell || !line) {
        return false;
    }
    if (rows->n_rows > 0) {
        memcpy(cell, rows->cell, (size_t)rows->n_rows * N_COLUMNS * sizeof *cell);
        memcpy(line, rows->line, rows->n_rows * sizeof *line);
    }
    rows->cell = cell;
    rows->line = line;
    *inout_capacity = capacity;
    return true;
}

static assay_status_t read_row(const assay_ledger_t *ledger, sqlite3_stmt *statement,
                               assay_arena_t *arena, assay_csv_t *rows, uint32_t *capacity,
                               assay_error_t *err) {
    const assay_place_t at = {rows->file, rows->n_rows + 1, 0};
    if (rows->n_rows == MAX_PRICES || !grow(arena, rows, capacity)) {
        return assay_error_memory(err, &at);
    }
    for (int i = 0; i < N_COLUMNS; i++) {
        const char *text = (const char *)sqlite3_column_text(statement, i);
        const char *cell = assay_arena_strdup(arena, text ? text : "");
        if (!cell) {
            return assay_error_memory(err, &at);
        }
        if (assay_text_utf8_bad(cell, strlen(cell)) != strlen(cell)) {
            return assay_error_set(err, ASSAY_INPUT, &at, "%s: a cell is not UTF-8", ledger->path);
        }
        rows->cell[(size_t)rows->n_rows * N_COLUMNS + (size_t)i] = cell;
    }
    rows->line[rows->n_rows] = rows->n_rows + 1;
    rows->n_rows++;
    return ASSAY_OK;
}

assay_status_t assay_ledger_prices(assay_ledger_t *ledger, assay_arena_t *arena,
                                   assay_csv_t *out_rows, assay_error_t *err) {
    static const char sql[] = "SELECT * FROM price AS p WHERE date = (SELECT max(date) FROM price "
                              "WHERE id = p.id) ORDER BY id";
    assay_csv_t rows = {.file = assay_arena_strdup(arena, ledger->path), .n_columns = N_COLUMNS};
    uint32_t capacity = 0;
    rows.header = assay_arena_array(arena, N_COLUMNS, sizeof *rows.header);
    if (!rows.file || !rows.header) {
        return assay_error_memory(err, NULL);
    }
    for (int i = 0; i < N_COLUMNS; i++) {
        rows.header[i] = assay_ledger_price_columns[i];
    }
    sqlite3_stmt *statement = NULL;
    assay_status_t status = ASSAY_OK;
    if (sqlite3_prepare_v2(ledger->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        status = refuse(ledger, ASSAY_IO, err);
    }
    while (status == ASSAY_OK) {
        const int step = sqlite3_step(statement);
        if (step == SQLITE_DONE) {
            break;
        }
        status = step == SQLITE_ROW ? read_row(ledger, statement, arena, &rows, &capacity, err)
                                    : refuse(ledger, ASSAY_IO, err);
    }
    sqlite3_finalize(statement);
    if (status == ASSAY_OK) {
        *out_rows = rows;
    }
    return status;
}
