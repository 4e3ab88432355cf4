#include "report/audit_view.h"

#include "base/banned.h"

void assay_audit_write_markdown(assay_view_t *view, const assay_audit_t *audit) {
    static const assay_view_column_t column[] = {
        {ASSAY_MSG_AUDIT_COLUMN_CLAIM, "", false},     {ASSAY_MSG_AUDIT_COLUMN_WHAT, "", false},
        {ASSAY_MSG_AUDIT_COLUMN_VERDICT, "", false},   {ASSAY_MSG_AUDIT_COLUMN_FACTOR, "", true},
        {ASSAY_MSG_REPORT_COLUMN_EVIDENCE, "", false},
    };
    assay_buf_puts(view->out, "# ");
    assay_markdown_text(view, SAY(view, AUDIT_TITLE, audit->name));
    assay_buf_puts(view->out, "\n\n");
    assay_markdown_text(view, assay_audit_summary(view, audit));
    assay_buf_puts(view->out, "\n\n");
    if (*audit->about) {
        assay_markdown_text(view, audit->about);
        assay_buf_puts(view->out, "\n\n");
    }
    assay_table_t *table = assay_view_table_of(view, column, sizeof column / sizeof *column);
    for (uint32_t i = 0; i < audit->n_claim; i++) {
        const assay_audited_t *claim = &audit->claim[i];
        assay_table_row(table);
        assay_table_cell(table, 0, claim->id);
        assay_table_cell(table, 1, assay_audit_subject(view, claim));
        assay_table_cell(table, 2, assay_audit_verdict(view, claim->verdict));
        assay_table_cell(table, 3, claim->has_factor ? assay_view_number(view, claim->factor) : "");
        assay_table_cell(table, 4, assay_audit_evidence(view, claim));
    }
    assay_table_print(table, ASSAY_TABLE_MARKDOWN, 0, view->out);
}
