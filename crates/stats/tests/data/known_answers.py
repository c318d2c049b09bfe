"""Writes known_answers.json: data sets and what SciPy and NumPy say about them.

    python3 known_answers.py          (needs numpy and scipy)

Each figure is computed the plainest way there is, by a library function where one exists.
The figures were made with SciPy 1.17.1 and NumPy 2.4.6.
"""

import json
import math
from pathlib import Path

import numpy as np
from scipy import stats

RNG = np.random.default_rng(20260101)


def short(values, digits=7):
    return [float(f"{v:.{digits}g}") for v in values]


def ar1(n, phi):
    x = RNG.standard_normal()
    out = []
    for _ in range(n):
        out.append(x)
        x = phi * x + math.sqrt(1 - phi * phi) * RNG.standard_normal()
    return np.array(out)


def data_sets():
    normal = RNG.standard_normal
    index = np.arange(300)
    yield "two values", [3.5, 4.25]
    yield "three values", [201.87, 207.80, 203.05]
    yield "five normal", short(100 + 5 * normal(5))
    yield "six normal", short(100 + 5 * normal(6))
    yield "ten normal", short(100 + 5 * normal(10))
    yield "eleven normal, wide", short(100 + 40 * np.abs(normal(11)))
    yield "thirty normal", short(100 + 2 * normal(30))
    yield "hundred lognormal", short(np.exp(4 + 0.8 * normal(100)))
    yield "forty exponential", short(RNG.exponential(3.0, 40))
    yield "fifty uniform", short(RNG.uniform(10, 20, 50))
    yield "twenty bimodal", short(np.where(np.arange(20) % 3 == 0, 101, 138) + 0.3 * normal(20))
    yield "twenty-five with ties", [float(v) for v in np.round(10 + 1.5 * normal(25))]
    yield "twelve constant", [137.87] * 12
    yield "twenty nearly constant", [1e9 + 0.5 * float(v) for v in RNG.integers(0, 3, 20)]
    yield "sixteen huge", short(1e120 * (1 + 0.1 * normal(16)))
    yield "sixteen tiny", short(1e-120 * (1 + 0.1 * normal(16)))
    yield "fifteen around zero", short(normal(15))
    yield "fourteen negative", short(-50 + 3 * normal(14))
    yield "thirteen with a stall", short(list(100 + normal(12)) + [4.0])
    yield "nine Cauchy", short(50 + stats.cauchy.rvs(size=9, random_state=RNG))
    yield "sixty climbing", short(100 + 0.2 * np.arange(60) + normal(60))
    yield "alternating", [1.0 if i % 2 else 2.0 for i in range(64)]
    yield "AR(1) 0.5", short(50 + ar1(600, 0.5))
    yield "AR(1) 0.8", short(50 + 4 * ar1(600, 0.8))
    yield "AR(1) 0.9", short(500 + ar1(1000, 0.9))
    yield "AR(1) -0.5", short(50 + ar1(300, -0.5))
    yield "warming up", short(100 + 20 * np.exp(-index / 25) + normal(300))
    yield "shifted", short(np.where(index < 190, 100, 98.5) + normal(300))
    yield "four hundred lognormal", short(np.exp(0.5 * normal(400)))


def t_interval(values, level):
    n = len(values)
    if n < 2:
        return None
    mean, se = np.mean(values), np.std(values, ddof=1) / math.sqrt(n)
    half = stats.t.isf((1 - level) / 2, n - 1) * se
    return [mean - half, mean + half]


def order_interval(values, p, level):
    n, tail = len(values), (1 - level) / 2
    k = np.arange(0, n + 1)
    cdf = stats.binom.cdf(k, n, p)
    lower = [j for j in range(1, n + 1) if cdf[j - 1] <= tail]
    upper = [u for u in range(1, n + 1) if stats.binom.sf(u - 1, n, p) <= tail]
    if not lower or not upper:
        return None
    ranks = [max(lower), min(upper)]
    ordered = sorted(values)
    return {
        "ranks": ranks,
        "coverage": cdf[ranks[1] - 1] - cdf[ranks[0] - 1],
        "interval": [ordered[ranks[0] - 1], ordered[ranks[1] - 1]],
    }


def geyer(values):
    x = np.asarray(values, float)
    x = x - x.mean()
    n = len(x)
    if np.ptp(values) == 0:
        return 1.0
    x = x / np.abs(x).max()
    gamma = np.correlate(x, x, "full")[n - 1:] / n
    total, previous = 0.0, math.inf
    for j in range(n // 2):
        pair = gamma[2 * j] + gamma[2 * j + 1]
        if pair <= 0:
            break
        previous = min(previous, pair)
        total += previous
    return max(1.0, (2 * total - gamma[0]) / gamma[0])


def batches(values, count):
    length = len(values) // count
    return np.asarray(values[len(values) - count * length:]).reshape(count, length).mean(axis=1)


def within_run(values, tau):
    effective = len(values) / tau
    if effective < 50:
        return None
    count = int(min(30, max(5, math.floor(effective / 8))))
    means = batches(values, count)
    return {"batches": count, "mean": means.mean(), "interval": t_interval(means, 0.95)}


def mser(values):
    z = [np.mean(values[i:i + 5]) for i in range(0, len(values) - 4, 5)]
    if len(z) < 10:
        return "too short"
    limit = len(z) // 2
    criteria = [np.sum((z[d:] - np.mean(z[d:])) ** 2) / (len(z) - d) ** 2 for d in range(limit + 1)]
    best = int(np.argmin(criteria))
    return "not settled" if best == limit else 5 * best


def shift(values):
    x = np.asarray(values, float)
    n = len(x)
    if n < 20 or np.ptp(x) == 0:
        return None
    trim = max(1, math.ceil(0.05 * n))
    best = max(range(trim, n - trim + 1),
               key=lambda k: (x[:k].mean() - x[k:].mean()) ** 2 * k * (n - k))
    residuals = np.concatenate([x[:best] - x[:best].mean(), x[best:] - x[best:].mean()])
    tau = geyer(residuals)
    if n / tau < 30:
        return None
    sums = np.cumsum(x - x.mean())
    statistic = np.abs(sums).max() / (np.std(residuals, ddof=1) * math.sqrt(tau * n))
    return {"at": best, "statistic": statistic, "effective_n": n / tau}


def steady(values):
    n, mean = len(values), np.mean(values)
    if n < 20 or mean <= 0:
        return None
    parts = lambda k: np.array([np.mean(values[i * n // k:(i + 1) * n // k]) for i in range(k)])
    rounds, fine = parts(5), parts(20)
    fit = stats.linregress(np.arange(20), fine)
    residuals = fine - fit.intercept - fit.slope * np.arange(20)
    error = fit.stderr
    centred = residuals - residuals.mean()
    square = np.sum(centred ** 2)
    if square > 0 and np.sum(centred[:-1] * centred[1:]) / square > 0.2:
        error *= math.sqrt(geyer(residuals))
    return {
        "range": np.ptp(rounds) / rounds.mean(),
        "rise": abs(np.polyfit(np.arange(5), rounds / rounds.mean(), 1)[0]) * 4,
        "drift": fit.slope * 19 / fine.mean(),
        "half_width": stats.t.isf(0.05, 18) * error * 19 / fine.mean(),
    }


def trend(values):
    if len(values) < 3 or min(values) <= 0:
        return None
    hours = 0.05 * np.arange(len(values))
    fit = stats.linregress(hours, np.log(values))
    half = stats.t.isf(0.025, len(values) - 2) * fit.stderr
    ends = [math.expm1(fit.slope - half), math.expm1(fit.slope + half)]
    return {"per_hour": math.expm1(fit.slope), "p": fit.pvalue, "interval": ends}


def figures(values):
    mean = float(np.mean(values))
    tau = geyer(values)
    return {
        "mean": mean,
        "sd": float(np.std(values, ddof=1)),
        "t95": t_interval(values, 0.95),
        "t97": t_interval(values, 0.97),
        "median": float(np.median(values)),
        "median95": order_interval(values, 0.5, 0.95),
        "median97": order_interval(values, 0.5, 0.97),
        "median_deviation": float(stats.median_abs_deviation(values)),
        "tau": tau,
        "within_run": within_run(values, tau),
        "warm_up": mser(values),
        "shift": shift(values),
        "steady": steady(values),
        "trend": None if np.ptp(values) == 0 else trend(values),
    }


def pairs():
    shapes = [
        ("normal", lambda n: 100 + 3 * RNG.standard_normal(n)),
        ("lognormal", lambda n: np.exp(3 + 0.4 * RNG.standard_normal(n))),
        ("exponential", lambda n: 5 + RNG.exponential(2.0, n)),
        ("skewed and wide", lambda n: 1 + RNG.exponential(20.0, n)),
    ]
    for name, draw in shapes:
        for n in (3, 5, 6, 10, 17, 30):
            a, b = np.array(short(1.1 * draw(n))), np.array(short(draw(n)))
            welch = stats.ttest_ind(np.log(a), np.log(b), equal_var=False)
            paired = stats.ttest_rel(np.log(a), np.log(b))
            equal = stats.ttest_rel(np.log(a), np.log(b)).confidence_interval(0.90)
            spread = np.var(np.log(a), ddof=1) / np.var(np.log(b), ddof=1)
            below = stats.f.cdf(spread, n - 1, n - 1)
            yield {
                "name": f"{name}, {n}",
                "a": list(a),
                "b": list(b),
                "welch": math.exp(np.mean(np.log(a)) - np.mean(np.log(b))),
                "welch_p": welch.pvalue,
                "welch95": [math.exp(v) for v in welch.confidence_interval(0.95)],
                "paired_p": paired.pvalue,
                "paired95": [math.exp(v) for v in paired.confidence_interval(0.95)],
                "equivalent_within": math.expm1(max(abs(equal.low), abs(equal.high))),
                "f_p": 2 * min(below, 1 - below),
            }


def adjusted(p):
    order, m = np.argsort(p), len(p)
    holm, floor = [0.0] * m, 0.0
    for place, i in enumerate(order):
        floor = max(floor, min(1.0, p[i] * (m - place)))
        holm[i] = floor
    return {"p": list(p), "holm": holm, "screen": list(stats.false_discovery_control(p))}


def power(cv, difference, n):
    df, shift_ = 2 * (n - 1), difference / cv * math.sqrt(n / 2)
    critical = stats.t.isf(0.025, df)
    # The far tail may come back as nan where it is below 1e-16.
    return stats.nct.sf(critical, df, shift_) + np.nan_to_num(stats.nct.cdf(-critical, df, shift_))


def runs_to_detect(cv, difference):
    return next(n for n in range(2, 10000) if power(cv, difference, n) >= 0.8)


def plain(value):
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value)
    return value


def main():
    answers = {
        "samples": [{"name": name, "values": values} | figures(values) for name, values in data_sets()],
        "pairs": list(pairs()),
        "families": [adjusted(RNG.uniform(0, 1, m) ** 3) for m in (1, 2, 3, 6, 10, 45)],
        "power": [[cv, d, runs_to_detect(cv, d)] for cv in (0.01, 0.034, 0.07) for d in (0.02, 0.05, 0.11)],
    }
    lines = [f'  "{key}": [\n    ' + ",\n    ".join(json.dumps(plain(row)) for row in rows) + "\n  ]"
             for key, rows in answers.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    Path(__file__).with_name("known_answers.json").write_text(text)


if __name__ == "__main__":
    main()
