/**
 * Figures of cost that a job gives, asks for, or has as usual (data/money_terms.csv). One table
 * drives the keys of the job's money, the rows of data/defaults.csv, what is drawn, and what the
 * report lists.
 */
#ifndef ASSAY_MONEY_OPTION_H
#define ASSAY_MONEY_OPTION_H

#ifdef __cplusplus
extern "C" {
#endif

/* Code, key, dimension, scale of a bare number, least, most, drawn (else it is as given in every
   sample), name in money.terms that asks for its default ("" = none does), help. What is not asked
   for is unknown and costs nothing. */
#define ASSAY_OPTION_LIST(X)                                                                      \
    X(NETWORK_SHARE, "network_share", FRACTION, 1, 0, 0.9, 1, "network",                          \
      "share of the cluster's cost that is its network, where ports are not priced")              \
    X(NETWORK_PORT, "network_usd_per_port", MONEY, 1, 0, 1e6, 1, "ports",                         \
      "optics and cable of one port of a node in USD, and its NIC if the server has none")        \
    X(SWITCH_PORT, "network_usd_per_switch_port", MONEY, 1, 0, 1e6, 1, "ports",                   \
      "one port of a switch with its optics in USD; a node's port needs 1, 3 or 5 of them")       \
    X(SWITCH_RADIX, "network_switch_ports", NUMBER, 1, 2, 1e4, 0, "ports", "ports of one switch") \
    X(STORAGE, "storage_usd_per_tb_month", MONEY, 1, 0, 1e6, 1, "storage",                        \
      "storage in USD per TB and month")                                                          \
    X(STORED, "storage_bytes", BYTES, 1, 0, 1e21, 0, "",                                          \
      "what is stored; without it data.raw_bytes")                                                \
    X(RACK, "rack_usd", MONEY, 1, 0, 1e7, 1, "rack", "one rack with its power strips in USD")     \
    X(FACILITY, "facility_usd_per_kw", MONEY, 1, 0, 1e6, 1, "facility",                           \
      "building, power and cooling in USD per kW of nameplate; not together with colocation")     \
    X(FACILITY_YEARS, "facility_years", NUMBER, 1, 1, 50, 0, "facility", "life of the building")  \
    X(COLOCATION, "colocation_usd_per_kw_month", MONEY, 1, 0, 1e5, 1, "colocation",               \
      "rented space in USD per kW of nameplate and month")                                        \
    X(DEMAND, "demand_usd_per_kw_month", MONEY, 1, 0, 1e5, 1, "demand",                           \
      "demand charge in USD per kW of peak draw and month")                                       \
    X(SUPPORT, "support_share", FRACTION, 1, 0, 1, 1, "support",                                  \
      "support contract a year over the purchase price")                                          \
    X(FAILURES, "failures_per_gpu_year", NUMBER, 1, 0, 100, 1, "spares",                          \
      "accelerators that fail a year, of each")                                                   \
    X(SPARE_LEAD, "spare_lead_days", NUMBER, 1, 0, 3650, 0, "spares",                             \
      "days until a new one is there: so many are kept")                                          \
    X(RMA, "rma_usd", MONEY, 1, 0, 1e6, 1, "spares", "labour and freight of one exchange in USD") \
    X(LICENCE, "licence_usd_per_gpu_year", MONEY, 1, 0, 1e6, 1, "licence",                        \
      "software licence in USD per GPU and year; of NVIDIA parts alone")                          \
    X(DUTY, "duty_share", FRACTION, 1, 0, 2, 1, "duty",                                           \
      "import duty and sales tax over the purchase price")                                        \
    X(PROPERTY_TAX, "property_tax_share", FRACTION, 1, 0, 1, 1, "property_tax",                   \
      "property tax a year over the purchase price")                                              \
    X(INCOME_TAX, "income_tax", FRACTION, 1, 0, 0.9, 0, "tax",                                    \
      "rate of income tax: costs and depreciation save it")                                       \
    X(LIFE, "useful_life_years", NUMBER, 1, 1, 50, 0, "tax",                                      \
      "years over which machines lose their value, straight or declining")                        \
    X(EGRESS, "egress_usd_per_gb", MONEY, 1, 0, 1e3, 1, "egress",                                 \
      "data out of the cloud in USD per GB; of rented candidates")                                \
    X(EGRESS_BYTES, "egress_bytes", BYTES, 1, 0, 1e21, 0, "", "what leaves the cloud in one run") \
    X(MTBF, "gpu_hours_per_stop", NUMBER, 1, 1, 1e9, 1, "goodput",                                \
      "hours of one accelerator between two unplanned stops of the job")                          \
    X(CHECKPOINT, "checkpoint_s", TIME, 1, 1e-3, 1e5, 0, "goodput", "time of one checkpoint")     \
    X(RESTART, "restart_s", TIME, 1, 0, 1e6, 0, "goodput", "time until the job runs again")       \
    X(PREEMPTIONS, "preemptions_per_h", NUMBER, 1, 0, 100, 1, "spot",                             \
      "times an hour that spot machines are taken away")                                          \
    X(SPOT_WAIT, "spot_wait_share", FRACTION, 1, 0, 0.95, 1, "spot",                              \
      "share of the time that a spot job waits for machines")                                     \
    X(CARBON_PRICE, "carbon_usd_per_t", MONEY, 1, 0, 1e5, 1, "carbon", "price of a tonne of CO2") \
    X(INTENSITY, "g_co2_per_kwh", NUMBER, 1, 0, 5e3, 1, "carbon",                                 \
      "grams of CO2 per kWh of the site's grid; without it money.site's")                         \
    X(EMBODIED, "embodied_kg_per_node", NUMBER, 1, 0, 1e6, 0, "",                                 \
      "kg of CO2 that making one node took")                                                      \
    X(INFLATION, "inflation", FRACTION, 1, 0, 1, 0, "inflation",                                  \
      "yearly rise of wages, electricity and all other running costs")                            \
    X(PRICE_DECLINE, "price_decline", FRACTION, 1, 0, 0.95, 0, "price_decline",                   \
      "yearly fall of rents")                                                                     \
    X(GROWTH, "workload_growth", FRACTION, 1, 0, 10, 0, "",                                       \
      "yearly growth of the hours that are used, in the TCO; owned machines stop at all of them") \
    X(REVIEW_WAIT, "review_wait_days", NUMBER, 1, 0, 3650, 0, "",                                 \
      "working days that the move waits for reviews and machines")                                \
    X(DEBT_SHARE, "debt_share", FRACTION, 1, 0, 10, 0, "",                                        \
      "technical debt a year as a share of the work of the move, in place of debt_days_per_year") \
    X(CHECKPOINT_RATE, "checkpoint_gb_s", BYTES_PER_S, 1e9, 1e6, 1e15, 0, "",                     \
      "rate at which a job's checkpoint is written, in GB/s, in place of checkpoint_s")

typedef enum {
#define ASSAY_OPTION_ENUM(code, key, dim, scale, least, most, drawn, term, help) \
    ASSAY_OPTION_##code,
    ASSAY_OPTION_LIST(ASSAY_OPTION_ENUM)
#undef ASSAY_OPTION_ENUM
        ASSAY_OPTION_N
} assay_option_t;

/** How machines lose their value: sets the residual where the job gives none, and what tax sees. */
typedef enum {
    ASSAY_DEPRECIATION_DECLINING, /* the same share every year */
    ASSAY_DEPRECIATION_STRAIGHT,  /* the same amount every year of the useful life */
    ASSAY_DEPRECIATION_PLATEAU,   /* holds its price, then drops */
    ASSAY_DEPRECIATION_MARKET,    /* what list prices of earlier parts did */
    ASSAY_DEPRECIATION_N
} assay_depreciation_t;

#ifdef __cplusplus
}
#endif
#endif
