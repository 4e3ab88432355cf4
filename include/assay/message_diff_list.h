/* ASSAY_MESSAGE(ID, "English sentence with {0}"): what a comparison of decisions says. A part of
   assay/message_list.h, which includes it. */
ASSAY_MESSAGE(DIFF_NONE, "none")
ASSAY_MESSAGE(DIFF_SAME_CHOICE,
              "Both choose {0}; it is cheapest in {1} of the samples before, {2} after.")
ASSAY_MESSAGE(DIFF_OTHER_CHOICE, "{0} chooses {1}, {2} chooses {3}.")
ASSAY_MESSAGE(DIFF_COLUMN_CANDIDATE, "candidate")
ASSAY_MESSAGE(DIFF_COLUMN_BEFORE, "before")
ASSAY_MESSAGE(DIFF_COLUMN_AFTER, "after")
ASSAY_MESSAGE(DIFF_COLUMN_CHANGE, "cost")
ASSAY_MESSAGE(DIFF_COLUMN_SPEED, "speed")
ASSAY_MESSAGE(DIFF_COLUMN_TERM, "most of it")
ASSAY_MESSAGE(DIFF_HEADING_COST, "Cost of the candidates")
ASSAY_MESSAGE(DIFF_HEADING_INPUTS, "What was asked differently, and what each change does alone")
ASSAY_MESSAGE(DIFF_HEADING_NOTES, "Assumptions that differ")
ASSAY_MESSAGE(DIFF_NO_JOBS, "One of the two does not carry its job: decide again with this version "
                            "to see which input it was.")
ASSAY_MESSAGE(DIFF_SAME_JOB, "The jobs are the same: data or program differ (assay {0}, {1}).")
ASSAY_MESSAGE(DIFF_NOTHING, "Nothing: the two are the same.")
ASSAY_MESSAGE(DIFF_REFUSED, "Alone it is no job: {0}.")
ASSAY_MESSAGE(DIFF_NOT_REDONE, "Not decided again.")
ASSAY_MESSAGE(DIFF_DOES_IT, "This alone makes {0} the choice.")
ASSAY_MESSAGE(DIFF_ALONE, "Alone: {0} is chosen, {1} costs {2}.")
