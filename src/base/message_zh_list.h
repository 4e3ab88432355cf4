/* ASSAY_MESSAGE(ID, "简体中文句子 {0}"): the Simplified Chinese of include/assay/message_list.h, in
   its order, with the same placeholders. Included several times, so no guard. */
ASSAY_MESSAGE(REPORT_AXIS_UNIT, "{0}（{1}）")
