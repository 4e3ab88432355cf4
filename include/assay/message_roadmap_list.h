/* Messages of the plan of a move; as message_list.h. */
ASSAY_MESSAGE(ROADMAP_COLUMN_PHASE, "phase")
ASSAY_MESSAGE(ROADMAP_COLUMN_WEEKS, "weeks (p10-p90)")
ASSAY_MESSAGE(ROADMAP_COLUMN_FROM, "from")
ASSAY_MESSAGE(ROADMAP_COLUMN_TO, "to")
ASSAY_MESSAGE(ROADMAP_COLUMN_LATEST, "to, p90")
ASSAY_MESSAGE(ROADMAP_COLUMN_DAYS, "person-days (p10-p90)")
ASSAY_MESSAGE(ROADMAP_COLUMN_COST, "cost")
ASSAY_MESSAGE(ROADMAP_ROLE_APPLICATION, "application")
ASSAY_MESSAGE(ROADMAP_ROLE_KERNELS, "kernels")
ASSAY_MESSAGE(ROADMAP_ROLE_PLATFORM, "platform")
ASSAY_MESSAGE(ROADMAP_ROLE_ALL, "all, training")
ASSAY_MESSAGE(ROADMAP_A_YEAR, "figures of a year")
ASSAY_MESSAGE(ROADMAP_NOT_KNOWN, "(not known: no candidate stays)")
ASSAY_MESSAGE(ROADMAP_TITLE, "Moving to {0}: the plan")
ASSAY_MESSAGE(
    ROADMAP_ALT,
    "One bar a phase from its start to its end at p50, a whisker to its end at p90, and its cost.")
ASSAY_MESSAGE(ROADMAP_AXIS, "weeks after {0}")
ASSAY_MESSAGE(ROADMAP_SUMMARY,
              "Moving to {0} takes {1} weeks ({2} to {3} in 8 of 10 cases), until {4}, with {5} "
              "people: {6} person-days, {7} with a reserve of {8}; after it {9} a year to keep up.")
ASSAY_MESSAGE(ROADMAP_REFERENCE, "Speeds are held against {0}, predicted at {1} {2} a card; {3} "
                                 "is predicted at {4}, {5} of it.")
ASSAY_MESSAGE(ROADMAP_NO_REFERENCE, "No candidate that stays is predicted: what {0} is held "
                                    "against must come from your own measurement.")
ASSAY_MESSAGE(ROADMAP_HEADING_PHASES, "Phases")
ASSAY_MESSAGE(ROADMAP_HEADING_ROLES, "Person-days by role")
ASSAY_MESSAGE(ROADMAP_HEADING_GATES, "Gates: what is measured before the next phase begins")
ASSAY_MESSAGE(ROADMAP_ROLLBACK, "Way back: {0}.")
