/* ASSAY_MESSAGE(ID, "English sentence with {0}"). Included several times, so no guard; one row a
   sentence, grouped by the module that says it. */

/* decide */
ASSAY_MESSAGE(DECIDE_YES, "yes")
ASSAY_MESSAGE(DECIDE_NO, "no")
ASSAY_MESSAGE(DECIDE_JOIN, "{0}; {1}")
ASSAY_MESSAGE(DECIDE_RANGE, "{0} to {1}")
ASSAY_MESSAGE(DECIDE_ALMOST_SURE, "more than 99 %")
ASSAY_MESSAGE(DECIDE_ALMOST_NEVER, "less than 1 %")
ASSAY_MESSAGE(DECIDE_VERDICT_CHEAPER,
              "Choose {0}: {1} cheaper for this run than {2} ({3} against {4}), {5} sure; it takes "
              "{6} against {7}.")
ASSAY_MESSAGE(DECIDE_VERDICT_CLOSE,
              "Too close to call: {0} is {1} cheaper for this run than {2} ({3} against {4}), but "
              "only {5} sure; it takes {6} against {7}.")
ASSAY_MESSAGE(DECIDE_VERDICT_ONLY, "{0} costs {1} for this run and takes {2}; there is nothing to compare it with.")
ASSAY_MESSAGE(DECIDE_VERDICT_ONLY_ELIGIBLE,
              "Choose {0}: the only candidate that fits the job and its deadline, {1} for this run "
              "in {2}.")
ASSAY_MESSAGE(DECIDE_VERDICT_NO_CANDIDATE, "There is no candidate.")
ASSAY_MESSAGE(DECIDE_VERDICT_NOTHING_FITS, "No candidate fits: {0}")
ASSAY_MESSAGE(DECIDE_VERDICT_ALL_LATE,
              "No candidate meets the deadline of {0}: the fastest, {1}, takes {2}, {3} times as "
              "long.")
ASSAY_MESSAGE(DECIDE_REFUSED, "{0} does not fit: {1} (needs {2}, has {3}).")
ASSAY_MESSAGE(DECIDE_REFUSED_NO_LAYOUT, "{0} does not fit: no layout was left to try.")
ASSAY_MESSAGE(DECIDE_REASON_HARDWARE, "servers and accelerators, less what is left of them")
ASSAY_MESSAGE(DECIDE_REASON_SAVES, "{0}: {1} pays {2} less than {3}.")
ASSAY_MESSAGE(DECIDE_REASON_COSTS, "{0}: {1} pays {2} more than {3}.")
ASSAY_MESSAGE(DECIDE_REASON_SPEED, "{0} runs at {1} times the speed of {2}.")
ASSAY_MESSAGE(DECIDE_REASON_SAME_SPEED, "{0} and {1} are equally fast.")
ASSAY_MESSAGE(DECIDE_REASON_BASIS,
              "The prediction for {0} is {1}: its true step time is within {2} to {3} of the "
              "predicted one in 8 of 10 cases.")
ASSAY_MESSAGE(DECIDE_REASON_DEADLINE, "{0} takes {1} of the {2} until the deadline, {3} sure to meet it.")
ASSAY_MESSAGE(DECIDE_REASON_LATE, "{0} takes {1} and misses the deadline of {2} (it would cost {3}).")
ASSAY_MESSAGE(DECIDE_FLIP_PURCHASE, "purchase price of one {0}")
ASSAY_MESSAGE(DECIDE_FLIP_RENT, "hourly price of one {0}")
ASSAY_MESSAGE(DECIDE_FLIP_RUN, "length of the run")
ASSAY_MESSAGE(DECIDE_FLIP_ELECTRICITY, "electricity price")
ASSAY_MESSAGE(DECIDE_FLIP_UTILISATION, "utilisation of owned nodes")
ASSAY_MESSAGE(DECIDE_FLIP_STEP, "step time of {0} over the predicted one")
ASSAY_MESSAGE(DECIDE_FLIP_MIGRATION, "migration work in all")
ASSAY_MESSAGE(DECIDE_FLIP_AT, "{0}: now {1}; at {2} the choice becomes {3}.")
ASSAY_MESSAGE(DECIDE_FLIP_NOBODY, "{0}: now {1}; at {2} no candidate meets the deadline.")
ASSAY_MESSAGE(DECIDE_FLIP_NONE, "{0}: now {1}; the choice stands from {2} to {3}.")
ASSAY_MESSAGE(DECIDE_ANSWER_ROCM_DEBUGGERS, "people who know ROCm debugging")
ASSAY_MESSAGE(DECIDE_ANSWER_HIP_CI, "continuous integration checks HIP")
ASSAY_MESSAGE(DECIDE_ANSWER_CUDA_ONLY_SHARE, "CUDA-only share")
ASSAY_MESSAGE(DECIDE_ANSWER_HIP_FIT, "HIP fit")
ASSAY_MESSAGE(DECIDE_ANSWER_RAW_BYTES, "raw data")
ASSAY_MESSAGE(DECIDE_ANSWER_NOTEBOOKS, "prototyping in notebooks")
ASSAY_MESSAGE(DECIDE_ANSWER_NEEDS_TENSORRT, "TensorRT needed")
ASSAY_MESSAGE(DECIDE_ANSWER_HARDWARE_BUDGET_USD, "hardware budget")
ASSAY_MESSAGE(DECIDE_ANSWER_COMPUTE_SHARE, "compute share")
ASSAY_MESSAGE(DECIDE_ANSWER_RUN_DAYS, "run length")
ASSAY_MESSAGE(DECIDE_ANSWER_MFU, "FLOPs utilisation (MFU)")
ASSAY_MESSAGE(DECIDE_ANSWER_MIGRATION_OVER_SAVING, "cost of moving over what it saves")
ASSAY_MESSAGE(DECIDE_EVIDENCE_JOB, "{0}: {1} (from the job)")
ASSAY_MESSAGE(DECIDE_EVIDENCE_PREDICTED, "{0}: {1} (predicted for {2})")
ASSAY_MESSAGE(DECIDE_EVIDENCE_BUDGET, "{0}: {1} (purchase of {2}, the cheapest to buy)")
ASSAY_MESSAGE(DECIDE_EVIDENCE_PAYBACK,
              "moving costs {0}, purchase and 3 years of electricity save {1} (predicted)")
ASSAY_MESSAGE(DECIDE_EVIDENCE_NO_SAVING,
              "moving costs {0}, and purchase and 3 years of electricity cost {1} more (predicted)")
ASSAY_MESSAGE(DECIDE_EVIDENCE_UNKNOWN, "unknown: give {0}")
ASSAY_MESSAGE(DECIDE_EVIDENCE_NO_PREDICTION, "unknown: no candidate fits, so nothing is predicted")
ASSAY_MESSAGE(DECIDE_RULES, "{0} Conditions that hold: {1}; recommendations: {2}; reasons to defer: {3}.")
ASSAY_MESSAGE(DECIDE_RULES_SHARE, "{0} of {1}")
ASSAY_MESSAGE(DECIDE_RULES_REMARK, "{0} {1}.")
ASSAY_MESSAGE(DECIDE_RULES_AGREE, "The article's rules and the money agree on {0} ({1}).")
ASSAY_MESSAGE(DECIDE_RULES_FOR_MOVE,
              "The article's rules and the money disagree: the rules speak for moving ({0}), the "
              "money for {1}. Money decides.")
ASSAY_MESSAGE(DECIDE_RULES_AGAINST_MOVE,
              "The article's rules and the money disagree: the rules speak against moving ({0}), "
              "the money for {1}. Money decides.")
ASSAY_MESSAGE(DECIDE_RULES_OPEN, "The article's rules leave it open ({0}); the money decides for {1}.")
ASSAY_MESSAGE(DECIDE_RULES_NO_MOVER, "No candidate that fits needs a port: the article's rules about moving do not apply.")
ASSAY_MESSAGE(DECIDE_RULES_NO_CHOICE, "No candidate is left to choose: the article's rules have nothing to agree with.")
ASSAY_MESSAGE(DECIDE_RULES_WHY_ALL, "all its conditions hold")
ASSAY_MESSAGE(DECIDE_RULES_WHY_FAILED, "not met: {0}; {1}")
ASSAY_MESSAGE(DECIDE_RULES_WHY_UNKNOWN, "unknown: {0}")
ASSAY_MESSAGE(DECIDE_SOURCE_OWN, "assumption of this project")
ASSAY_MESSAGE(DECIDE_SOURCE_PREDICTION, "prediction")
ASSAY_MESSAGE(DECIDE_NOTE_COMMON,
              "This share of the variance of ln(step time) is an error that all candidates have in "
              "common; it moves them together and does not blur who is cheaper.")
ASSAY_MESSAGE(DECIDE_NOTE_POWER, "The true mean draw of a node over the modelled one, p10 to p90.")
ASSAY_MESSAGE(DECIDE_NOTE_CONTINGENCY, "the labour of moving (levels 1 to 3 and training), no hardware")
ASSAY_MESSAGE(DECIDE_NOTE_DEBT, "the years of the run, one year at least")
ASSAY_MESSAGE(DECIDE_NOTE_TRANSFERRED,
              "The prediction for {0} rests on measurements of a sibling: read its interval.")
ASSAY_MESSAGE(DECIDE_NOTE_EXTRAPOLATED,
              "The prediction for {0} rests on a general prior, no measurement is near: read its "
              "interval.")
ASSAY_MESSAGE(DECIDE_NOTE_RACKS,
              "nodes_per_rack of {0} is not known: each node is taken to need a rack of its own.")
