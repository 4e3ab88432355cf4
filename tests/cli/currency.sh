#!/bin/sh
# Amounts in a currency: the parts of a cost are its whole in USD, EUR and CNY, all by the one rate that
# is said, and no page, text or table of a job in CNY counts in another.
# usage: currency.sh ASSAY
# shellcheck source=tests/cli/lib/begin.sh
. "$(dirname "$0")/lib/begin.sh"
report() { # FILE ARGUMENT...
    file=$1
    shift
    "$assay" report "$@" -o "$tmp/$file" 2>"$tmp/error" || [ $? -eq 1 ] || fail "$file: $(cat "$tmp/error")"
}
job=examples/seed-a-65b-training.yaml
figure() { # KEY: the first number behind it in the JSON
    tr ',{}' '[\n*]' <"$tmp/job.json" | sed -n "s/.*\"$1\": *//p" | head -1
}
for currency in USD EUR CNY; do
    report job.json $job --currency $currency
    report job.focus.csv $job --currency $currency
    rate=$(figure rate)
    [ -n "$rate" ] || rate=1 # USD
    # the first candidate's rows of FOCUS, less its rounding, are its cost in the JSON (USD) at the rate
    awk -F, -v rate="$rate" -v total="$(figure cost_total_usd)" -v currency=$currency '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        NR == 2 { first = $1 }
        $1 == first { sum += $column["EffectiveCost"] }
        $column["BillingCurrency"] != currency { print "a row in " $column["BillingCurrency"]; bad = 1 }
        END {
            off = sum - total * rate
            if (total <= 0 || off * off > 1e-12 * sum * sum) {
                printf "%s: parts are %.6f, the whole is %.6f\n", currency, sum, total * rate
                bad = 1
            }
            exit bad
        }' "$tmp/job.focus.csv" || bad=1
done
# What stays in USD is what others say in it: the rate, a rule and the claims of an article, sources.
for name in seed-a-65b-training seed-b-llama3-8b-serving seed-b-sdxl load-curve; do
    for lang in en zh; do
        report page.md examples/$name.yaml --currency CNY --lang $lang
        sed '/^[|-] *money\./d; /^[|-] *migration\./d; /150.*000/d; /seed-[ab]/d; / [ab][0-9]*\./d' \
            "$tmp/page.md" | grep -E 'USD|美元' >"$tmp/left" &&
            fail "$name $lang: $(head -3 "$tmp/left")"
    done
done
exit $bad
