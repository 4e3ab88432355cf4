/* ASSAY_MESSAGE(ID, "English sentence with {0}"). Included several times, so no guard; one row a
   sentence, grouped by the module that says it. */
