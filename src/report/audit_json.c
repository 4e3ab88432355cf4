#include "report/audit_view.h"

#include "base/banned.h"

static void put_range(assay_json_t *json, const char *key, bool known, double low, double high) {
    if (known && high > low) {
        assay_json_begin_array(json, key);
        assay_json_number(json, NULL, low);
        assay_json_number(json, NULL, high);
        assay_json_end(json);
    } else {
        assay_json_string(json, key, NULL);
    }
}

static void put_claim(assay_view_t *view, assay_json_t *json, const assay_audited_t *claim) {
    const double claimed = 0.5 * (claim->claimed_low + claim->claimed_high);
    const double computed = 0.5 * (claim->computed_low + claim->computed_high);
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", claim->id);
    assay_json_string(json, "verdict", assay_verdict_name((assay_verdict_t)claim->verdict));
    assay_json_number_if(json, "factor", claim->has_factor, claim->factor);
    assay_json_string(json, "evidence", assay_audit_evidence(view, claim));
    assay_json_string(json, "subject", claim->subject);
    assay_json_string(json, "text", claim->text);
    assay_json_string(json, "unit", claim->unit);
    assay_json_number_if(json, "claimed", claim->has_claimed, claimed);
    put_range(json, "claimed_range", claim->has_claimed, claim->claimed_low, claim->claimed_high);
    assay_json_number_if(json, "computed", claim->has_computed, computed);
    put_range(json, "computed_range", claim->has_computed, claim->computed_low,
              claim->computed_high);
    assay_json_string(json, "formula", claim->formula);
    assay_json_string(json, "about", claim->about);
    assay_json_string(json, "slip", claim->slip);
    assay_json_string(json, "counts", claim->counts);
    assay_json_bool(json, "peak_is_sparse_warning", claim->peak_is_sparse);
    assay_json_bool(json, "token_basis_warning", claim->token_basis_differs);
    assay_json_begin_array(json, "missing");
    for (uint32_t i = 0; i < claim->n_missing; i++) {
        assay_json_string(json, NULL, claim->missing[i]);
    }
    assay_json_end(json);
    assay_json_string(json, "source", claim->source);
    assay_json_end(json);
}

void assay_audit_write_json(assay_view_t *view, const assay_audit_t *audit) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "claims");
    for (uint32_t i = 0; i < audit->n_claim; i++) {
        put_claim(view, &json, &audit->claim[i]);
    }
    assay_json_end(&json);
    assay_json_begin_object(&json, "summary");
    assay_json_count(&json, "claims", audit->n_claim);
    for (int i = 0; i < ASSAY_VERDICT_N; i++) {
        assay_json_count(&json, assay_verdict_name((assay_verdict_t)i), audit->n_verdict[i]);
    }
    assay_json_string(&json, "sentence", assay_audit_summary(view, audit));
    assay_json_end(&json);
    assay_json_end(&json);
}
