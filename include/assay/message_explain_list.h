/* Of one candidate, why it is not the choice, and of one number, where it is from. Part of
   message_list.h. */
ASSAY_MESSAGE(WHY_IS_CHOICE,
              "{0} is the choice: it costs {1}, and is the cheapest in {2} of the samples.")
ASSAY_MESSAGE(WHY_DEARER, "{0} costs {1}, which is {2} ({3}) more than {4} at {5}; it is the "
                          "cheapest in {6} of the samples.")
ASSAY_MESSAGE(WHY_LATE, "{0} misses the deadline: it takes {1}, allowed are {2}; it has to be {3} "
                        "times as fast.")
ASSAY_MESSAGE(WHY_NO_FLEET, "{0} does not serve the demand: {1}; nearest layout: TP {2}, PP {3}.")
ASSAY_MESSAGE(WHY_NEAREST, "Nearest layout: {0}.")
ASSAY_MESSAGE(WHY_FLIP_NONE, "{0}: now {1}; nothing from {2} to {3} makes {4} the choice.")
ASSAY_MESSAGE(WHY_HEADING_TERMS, "What costs more and what less, the largest difference first")
ASSAY_MESSAGE(WHY_HEADING_TO, "What would make it the choice, each alone")
ASSAY_MESSAGE(WHY_HEADING_FROM, "What would take that away, each alone")
ASSAY_MESSAGE(WHY_COLUMN_TERM, "term")
ASSAY_MESSAGE(WHY_COLUMN_DIFFERENCE, "difference")
ASSAY_MESSAGE(EXPLAIN_COSTS_LEAST, "{0} costs least (ties are shared)")
ASSAY_MESSAGE(EXPLAIN_COSTS_LESS, "{0} costs less than {1}")
ASSAY_MESSAGE(EXPLAIN_SHARE_LESS, "share of {0} points in which {1} costs less than {2}, less {3}")
ASSAY_MESSAGE(EXPLAIN_OF_REQUESTS, "{0} of simulated requests")
ASSAY_MESSAGE(EXPLAIN_MOVED, "{0}, moved")
ASSAY_MESSAGE(EXPLAIN_CALIBRATION, "calibration.csv, {0}, of {1}")
ASSAY_MESSAGE(EXPLAIN_CATALOG, "catalog, {0}")
ASSAY_MESSAGE(EXPLAIN_CATALOG_FROM, "catalog, {0}: {1}")
ASSAY_MESSAGE(EXPLAIN_DEFAULT, "default of {0}")
ASSAY_MESSAGE(EXPLAIN_DEFAULT_FROM, "default of {0}: {1}")
ASSAY_MESSAGE(EXPLAIN_COST_OF, "cost of {0}")
ASSAY_MESSAGE(EXPLAIN_PURCHASE_OF, "purchase of {0}")
ASSAY_MESSAGE(EXPLAIN_ELECTRICITY_OF, "electricity of {0}, three years")
ASSAY_MESSAGE(EXPLAIN_PAID_BY, "present value of what is paid for {0} by the end of month {1}")
ASSAY_MESSAGE(
    EXPLAIN_CROSSED_BY,
    "the choice has cost less than the runner-up by the end of month {0}, and does to the end")
ASSAY_MESSAGE(EXPLAIN_AT_START, "paid for {0} at the start")
ASSAY_MESSAGE(EXPLAIN_AT_YEAR, "at year {0}")
ASSAY_MESSAGE(EXPLAIN_LESS, "less {0}")
ASSAY_MESSAGE(EXPLAIN_LOAD_IN, "load in {0} of the hours")
ASSAY_MESSAGE(EXPLAIN_MOST_OF_ALL, "most of all {0}")
