/** Inside money: (1+rate)^-years. */
#ifndef ASSAY_MONEY_DISCOUNT_H
#define ASSAY_MONEY_DISCOUNT_H

double money_discount(double rate, double years);

#endif
