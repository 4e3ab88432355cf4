/* ASSAY_PHRASE("English", "中文"): what tables of data say, for reports in Chinese. Included
   several times, so no guard. */
ASSAY_PHRASE("assumption of this project", "本项目的假定")
