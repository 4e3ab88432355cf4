/* What scan, port, doctor, topo, memory, snapshot and fleet say; see message_list.h, which includes
   it. */

/* scan */
ASSAY_MESSAGE(SCAN_TITLE, "What moving to ROCm takes")
ASSAY_MESSAGE(SCAN_TWO, "{0} {1}")
ASSAY_MESSAGE(SCAN_THEN, "{0}. {1}")
ASSAY_MESSAGE(SCAN_READ, "{0}: {1} files read, {2} lines that use CUDA, {3} kernels.")
ASSAY_MESSAGE(SCAN_NO_DEVICE, "Nothing in it faces a device.")
ASSAY_MESSAGE(
    SCAN_FIT,
    "Of {1} device-facing references, weighted by kind, {0} are ready for ROCm {2} on {3} and {4} "
    "have no ROCm form; {5} of the names are ported already.")
ASSAY_MESSAGE(SCAN_HEADING_EFFORT, "Effort in person-days")
ASSAY_MESSAGE(SCAN_HEADING_FINDINGS, "Findings")
ASSAY_MESSAGE(SCAN_HEADING_DIRECTORIES, "By directory")
ASSAY_MESSAGE(SCAN_HEADING_FILES, "By file, worst first")
ASSAY_MESSAGE(SCAN_HEADING_LIBRARIES, "By library")
ASSAY_MESSAGE(SCAN_HEADING_RULES, "By rule, silent faults first")
ASSAY_MESSAGE(SCAN_HEADING_PLACES, "Places")
ASSAY_MESSAGE(SCAN_HEADING_SKIPPED, "Not read")
ASSAY_MESSAGE(SCAN_HEADING_ASSUMPTIONS, "Coefficients of the effort and their sources")
ASSAY_MESSAGE(SCAN_LEVEL1, "level 1, interface")
ASSAY_MESSAGE(SCAN_LEVEL2, "level 2, kernels")
ASSAY_MESSAGE(SCAN_LEVEL3, "level 3, ecosystem")
ASSAY_MESSAGE(SCAN_TRAINING, "training")
ASSAY_MESSAGE(SCAN_CONTINGENCY, "contingency")
ASSAY_MESSAGE(SCAN_TOTAL, "total")
ASSAY_MESSAGE(SCAN_CALENDAR, "Calendar of the team: {0} to {1} days (p10 to p90).")
ASSAY_MESSAGE(
    SCAN_WAIT,
    "Until others have reviewed and merged it: {0} days more ({1} to {2}); work of others, "
    "so it stands apart.")
ASSAY_MESSAGE(
    SCAN_TAIL,
    "Median and contingency pay for {0} of the outcomes; one in twenty takes more than {1} "
    "person-days, one in a hundred more than {2}.")
ASSAY_MESSAGE(SCAN_DEBT,
              "Afterwards {0} person-days a year with one source for both; {1} with a fork.")
ASSAY_MESSAGE(SCAN_EXPERIENCED,
              "The team has moved such code before: every level is {0} of what it is else.")
ASSAY_MESSAGE(
    SCAN_REPLACED,
    "The tree is {0}, which ROCm has: kernels without a HIP form count as replaced by it.")
ASSAY_MESSAGE(SCAN_HEADING_FRAMEWORKS, "Frameworks on ROCm {0}, {1}")
ASSAY_MESSAGE(SCAN_COLUMN_FRAMEWORK, "framework")
ASSAY_MESSAGE(SCAN_COLUMN_VERSIONS, "listed")
ASSAY_MESSAGE(SCAN_COLUMN_HOW, "how to get it")
ASSAY_MESSAGE(SCAN_NOT_LISTED, "not listed")
ASSAY_MESSAGE(SCAN_COLUMN_EFFECT, "effect")
ASSAY_MESSAGE(SCAN_COLUMN_LEVEL, "level {0}")
ASSAY_MESSAGE(SCAN_COLUMN_ALL, "all")
ASSAY_MESSAGE(SCAN_COLUMN_DIRECTORY, "directory")
ASSAY_MESSAGE(SCAN_COLUMN_FILE, "file")
ASSAY_MESSAGE(SCAN_COLUMN_LIBRARY, "library")
ASSAY_MESSAGE(SCAN_COLUMN_RULE, "rule")
ASSAY_MESSAGE(SCAN_COLUMN_FILES, "files")
ASSAY_MESSAGE(SCAN_COLUMN_LINES, "lines")
ASSAY_MESSAGE(SCAN_COLUMN_RESIDUAL, "to edit")
ASSAY_MESSAGE(SCAN_COLUMN_PLACE, "first place")
ASSAY_MESSAGE(SCAN_COLUMN_REASON, "why not read")
ASSAY_MESSAGE(SCAN_KNOWN, "{0} more are in the baseline.")
ASSAY_MESSAGE(SCAN_MORE, "... and {0} more; --json lists all.")
ASSAY_MESSAGE(SCAN_HEURISTIC, "{0} (heuristic)")
ASSAY_MESSAGE(SCAN_DEEP, "{0} (by the syntax tree)")
ASSAY_MESSAGE(SCAN_INSTEAD, "Instead: {0}.")
ASSAY_MESSAGE(SCAN_ABOUT, "{0}: {1}")
ASSAY_MESSAGE(SCAN_OTHER_KINDS, "Files of other kinds: {0}; --json lists them.")
ASSAY_MESSAGE(SCAN_NONE, "No findings.")
ASSAY_MESSAGE(SCAN_HEAT_MORE, "Shade: findings for a thousand lines; none, up to 1, 5, 20, more")
ASSAY_MESSAGE(SCAN_FIGURE_EFFORT, "Person-days by level")
ASSAY_MESSAGE(SCAN_FIGURE_EFFORT_MORE, "Bar: median; line: p10 to p90")
ASSAY_MESSAGE(SCAN_AXIS_DAYS, "effort [person-days]")
ASSAY_MESSAGE(SCAN_FAILED, "--fail-on {0}: {1} new findings are at least as bad.")
ASSAY_MESSAGE(PORT_WRITTEN, "{0} changes in {1} files; the originals end in {2}.")
ASSAY_MESSAGE(DOCTOR_BAD, "{0}: {1}. Besides, {2}, {3}, {4}.")
ASSAY_MESSAGE(DOCTOR_NONE_BAD, "{0}: nothing wrong was found. {1}, {2}, {3}.")
ASSAY_MESSAGE(DOCTOR_N_GOOD, "{0} checks are good")
ASSAY_MESSAGE(DOCTOR_ONE_GOOD, "{0} check is good")
ASSAY_MESSAGE(DOCTOR_N_UNKNOWN, "{0} were not checked")
ASSAY_MESSAGE(DOCTOR_ONE_UNKNOWN, "{0} was not checked")
ASSAY_MESSAGE(DOCTOR_N_NONE, "{0} do not apply")
ASSAY_MESSAGE(DOCTOR_ONE_NONE, "{0} does not apply")
ASSAY_MESSAGE(DOCTOR_NO_CHECKS, "{0}: no check ran.")
ASSAY_MESSAGE(DOCTOR_CRITICAL, "{0} critical finding")
ASSAY_MESSAGE(DOCTOR_CRITICALS, "{0} critical findings")
ASSAY_MESSAGE(DOCTOR_ERROR, "{0} error")
ASSAY_MESSAGE(DOCTOR_ERRORS, "{0} errors")
ASSAY_MESSAGE(DOCTOR_WARNING, "{0} warning")
ASSAY_MESSAGE(DOCTOR_WARNINGS, "{0} warnings")
ASSAY_MESSAGE(DOCTOR_INFO, "{0} remark")
ASSAY_MESSAGE(DOCTOR_INFOS, "{0} remarks")
ASSAY_MESSAGE(DOCTOR_FIRST, "Do this first: {0}, {1}.")
ASSAY_MESSAGE(DOCTOR_FOLLOWS, "follows from it: {0}")
ASSAY_MESSAGE(DOCTOR_STATED, "as the sender says: {0}")
ASSAY_MESSAGE(DOCTOR_SEEN, "seen")
ASSAY_MESSAGE(
    COMPARE_SAME,
    "{0} and {1}: nothing that both show is different. Equal: {2}, known of one alone: {3}.")
ASSAY_MESSAGE(COMPARE_DIFFER,
              "{0} and {1}: different: {2}, worse: {3}, equal: {4}, known of one alone: {5}.")
ASSAY_MESSAGE(COMPARE_COLUMN_GROUP, "kind")
ASSAY_MESSAGE(COMPARE_COLUMN_WHAT, "what")
ASSAY_MESSAGE(COMPARE_COLUMN_A, "A")
ASSAY_MESSAGE(COMPARE_COLUMN_B, "B")
ASSAY_MESSAGE(COMPARE_COLUMN_CHANGE, "change")
ASSAY_MESSAGE(COMPARE_WORSE, "worse")
ASSAY_MESSAGE(DOCTOR_SEES, "This process sees {0} devices{1}.")
ASSAY_MESSAGE(DOCTOR_SEES_ONE, "This process sees {0} device{1}.")
ASSAY_MESSAGE(DOCTOR_CASE_SEES, "Case {0}: a process sees {1} devices{2}.")
ASSAY_MESSAGE(DOCTOR_CASE_SEES_ONE, "Case {0}: a process sees {1} device{2}.")
ASSAY_MESSAGE(DOCTOR_CASE_UNKNOWN, "Case {0}: which devices a process sees cannot be told.")
ASSAY_MESSAGE(DOCTOR_MODES_LEGAL, "{0} with {1} is possible: {2} devices in all.")
ASSAY_MESSAGE(DOCTOR_MODES_ILLEGAL, "{0} with {1} is not possible.")
ASSAY_MESSAGE(DOCTOR_MODES_UNKNOWN, "{0} with {1}: the modes of this accelerator are not known.")
ASSAY_MESSAGE(DOCTOR_APPLIES, "for")
ASSAY_MESSAGE(DOCTOR_CONDITION, "when")
ASSAY_MESSAGE(DOCTOR_WHY, "why")
ASSAY_MESSAGE(DOCTOR_DO, "do")
ASSAY_MESSAGE(DOCTOR_CHECK, "then")
ASSAY_MESSAGE(DOCTOR_READS, "reads")
ASSAY_MESSAGE(DOCTOR_LIMIT, "limit")
ASSAY_MESSAGE(DOCTOR_SOURCE, "source")
ASSAY_MESSAGE(DOCTOR_MORE, "more")
ASSAY_MESSAGE(DOCTOR_HEADING_GOOD, "Good")
ASSAY_MESSAGE(DOCTOR_HEADING_UNKNOWN, "Not checked: nothing that was given says so")
ASSAY_MESSAGE(DOCTOR_UNKNOWN_HOW, "assay doctor --explain ID says what a check reads.")
ASSAY_MESSAGE(DOCTOR_HEADING_UNREAD, "Not read, or not whole")
ASSAY_MESSAGE(DOCTOR_COLUMN_CHECK, "check")
ASSAY_MESSAGE(DOCTOR_COLUMN_SEVERITY, "severity")
ASSAY_MESSAGE(DOCTOR_COLUMN_TITLE, "what is wrong")
ASSAY_MESSAGE(
    DOCTOR_NO_ACCELERATOR,
    "This machine has no AMD or NVIDIA accelerator that the kernel sees: there is nothing "
    "to check.")
ASSAY_MESSAGE(DOCTOR_NOTHING_READ, "Nothing that was given says anything about a host.")
ASSAY_MESSAGE(TOPO_NONE, "{0}: no AMD or NVIDIA accelerator was found.")
ASSAY_MESSAGE(TOPO_CATALOG,
              "{0}: {1} accelerators, {2}, as the catalog has it; nothing was found here.")
ASSAY_MESSAGE(TOPO_UNKNOWN_SYSTEM, "{0}: {1} accelerators, {2}; the catalog has no system like it.")
ASSAY_MESSAGE(TOPO_AS_EXPECTED, "{0}: {1} accelerators, {2}, wired as {3} is expected to be.")
ASSAY_MESSAGE(TOPO_DIFFERS, "{0}: {1} accelerators, {2}. Differences from {3}: {4}.")
ASSAY_MESSAGE(TOPO_UNKNOWN_MODEL, "of an unknown model")
ASSAY_MESSAGE(TOPO_EXPECTED, "expected {0}, found {1}")
ASSAY_MESSAGE(TOPO_SOCKET, "socket {0}")
ASSAY_MESSAGE(TOPO_NUMA, "NUMA node {0}")
ASSAY_MESSAGE(TOPO_CPUS, "{0}: CPUs {1}")
ASSAY_MESSAGE(TOPO_SWITCH, "PCIe switch {0}")
ASSAY_MESSAGE(TOPO_NIC, "NIC {0}")
ASSAY_MESSAGE(TOPO_NO_NUMA, "NUMA node not known")
ASSAY_MESSAGE(TOPO_DEVICES, "accelerators")
ASSAY_MESSAGE(TOPO_NEAR, "{0}: nearest NIC {1}")
ASSAY_MESSAGE(TOPO_HEADING_TREE, "What is where")
ASSAY_MESSAGE(TOPO_HEADING_LINKS, "Links between accelerators")
ASSAY_MESSAGE(TOPO_HEADING_BIND, "Binding, one process an accelerator")
ASSAY_MESSAGE(TOPO_LEGEND,
              "X2: 2 links of XGMI; NV12: 12 NVLinks; - none of its own; PIX, PXB, PHB, NODE, SYS, "
              "PCIE: through PCIe, farther and farther; ? not known")
ASSAY_MESSAGE(TOPO_LEGEND_SHORT,
              "X2: 2 XGMI links; NV12: 12 NVLinks; -: none of its own; ?: not known")
ASSAY_MESSAGE(TOPO_BIND_SOURCE, "These CPUs are those of the catalog: {0}.")
ASSAY_MESSAGE(TOPO_NO_ACCELERATOR,
              "This machine has no AMD or NVIDIA accelerator that the kernel sees.")
ASSAY_MESSAGE(MEMORY_FITS, "{0} fits on {1}.")
ASSAY_MESSAGE(MEMORY_FITS_NOT, "{0} does not fit on {1}: {2} finds no room.")
ASSAY_MESSAGE(MEMORY_STARTS_NOT, "{0} would fit on {1} once it runs, but does not get there: {2}.")
ASSAY_MESSAGE(MEMORY_NO_DEVICE, "{0}: what it holds; no device is given (--on).")
ASSAY_MESSAGE(MEMORY_NO_DEVICE_SHORT,
              "{0}: the cache that the engine reports is too small for one sequence of {1} tokens.")
ASSAY_MESSAGE(MEMORY_NO_DEVICE_ENOUGH,
              "{0}: the cache that the engine reports holds a sequence of {1} tokens.")
ASSAY_MESSAGE(MEMORY_WHAT_SERVE, "Serving {0} with {1}")
ASSAY_MESSAGE(MEMORY_WHAT_TRAIN, "Training {0}")
ASSAY_MESSAGE(MEMORY_WHAT_FINETUNE, "Fine-tuning {0}")
ASSAY_MESSAGE(MEMORY_WHERE, "{0} x {1} ({2})")
ASSAY_MESSAGE(
    MEMORY_RECIPE,
    "Recipe: {0} B a parameter = weights {1}, fp32 master copy {2}, gradients {3}, moments "
    "{4}; {5} in all for one copy of {6}.")
ASSAY_MESSAGE(
    MEMORY_RECIPE_ADAPTERS,
    "Recipe: adapters of rank {0} at {1} B a parameter (weights {2}, gradients {3}, moments "
    "{4}); the weights below them stand still; {5} in all for one copy of {6}.")
ASSAY_MESSAGE(MEMORY_WEIGHTS, "Weights: {0} in {1}, {2}.")
ASSAY_MESSAGE(MEMORY_LAYOUT, "Layout: {0}.")
ASSAY_MESSAGE(MEMORY_HEADING_PARTS, "One device, by part")
ASSAY_MESSAGE(MEMORY_COLUMN_PART, "part")
ASSAY_MESSAGE(MEMORY_COLUMN_HELD, "held")
ASSAY_MESSAGE(MEMORY_COLUMN_STEADY, "between steps")
ASSAY_MESSAGE(MEMORY_COLUMN_PEAK, "at its worst")
ASSAY_MESSAGE(MEMORY_TOTAL, "total")
ASSAY_MESSAGE(MEMORY_HAS, "device has")
ASSAY_MESSAGE(MEMORY_BUDGET, "engine may use")
ASSAY_MESSAGE(MEMORY_STAGES, "While it loads {0}, while it is wrapped {1}, in the first step {2}.")
ASSAY_MESSAGE(
    MEMORY_CACHE,
    "Cache: {0} B a token on a device ({1} B in the model); one sequence of {2} tokens needs "
    "{3} blocks of {4} tokens, {5}.")
ASSAY_MESSAGE(MEMORY_CACHE_ROOM,
              "There is room for {0} blocks, {1} tokens ({2}); the longest sequence is {3} tokens.")
ASSAY_MESSAGE(MEMORY_CACHE_SHORT, "{0} blocks are missing: {1} on a device, {2} of the model.")
ASSAY_MESSAGE(MEMORY_CACHE_SEQUENCES, "So many requests of mean length fit at once: {0}.")
ASSAY_MESSAGE(MEMORY_LARGEST, "Largest in this layout: micro-batch {0}, or sequence {1}.")
ASSAY_MESSAGE(MEMORY_FEWEST, "Fewest devices of this kind: {0} ({1}).")
ASSAY_MESSAGE(MEMORY_FEWEST_NONE, "No number of these devices that was tried is enough.")
ASSAY_MESSAGE(MEMORY_HEADING_FIXES, "What makes it fit, one change at a time, cheapest first")
ASSAY_MESSAGE(MEMORY_FIX, "{0}: {1}")
ASSAY_MESSAGE(MEMORY_FIX_COSTS, "{0}: {1} (costs: {2})")
ASSAY_MESSAGE(MEMORY_LOG, "{0}, {1}: {2} ({3}).")
ASSAY_MESSAGE(MEMORY_LOG_LINE, "line {0}: {1}")
ASSAY_MESSAGE(SNAPSHOT_DONE,
              "{0}: {1} files, the output of {2} tools; {3} names and numbers replaced.")
ASSAY_MESSAGE(SNAPSHOT_DONE_WHOLE,
              "{0}: {1} files, the output of {2} tools; names and numbers kept.")
ASSAY_MESSAGE(SNAPSHOT_ROOT, "Root would add {0} more: {1}.")
ASSAY_MESSAGE(SNAPSHOT_ALL, "Root would add nothing.")
ASSAY_MESSAGE(SNAPSHOT_LATE, "Did not end in time, and is missing: {0}.")
ASSAY_MESSAGE(
    FLEET_SENTENCE,
    "{0}: {1} hosts; {2} have nothing to mend, {3} have a finding at {4} or above, {5} could "
    "not be read.")
ASSAY_MESSAGE(FLEET_UNREAD, "not read: {0}")
ASSAY_MESSAGE(FLEET_MORE, "{0} and {1} more")
ASSAY_MESSAGE(FLEET_OUTLIER, "{0}: {1} on {2}; usual is {3} ({4} of {5})")
ASSAY_MESSAGE(FLEET_COLUMN_HOST, "host")
ASSAY_MESSAGE(FLEET_COLUMN_GPUS, "accelerators")
ASSAY_MESSAGE(FLEET_COLUMN_FIRST, "first")
ASSAY_MESSAGE(FLEET_HEADING_HOSTS, "Hosts with something to mend, worst first")
ASSAY_MESSAGE(FLEET_HEADING_OUTLIERS, "Not like the others")
