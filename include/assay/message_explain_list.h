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
