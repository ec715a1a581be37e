"""Time-weighted returns as a spreadsheet has them, in exact fractions, written to time-weighted.json.

Each row is a day: value before, in, value at its end, out; its return is (value + out) / (before + in) - 1 (none without
money), and the cumulative one is the product of all 1 + return, less 1. `python3 time-weighted.py`, no packages.
"""

import json
import pathlib
import random
from datetime import date, timedelta
from fractions import Fraction

START = date(2025, 12, 31)


def case(name, start, rows):
    before, growth, days, returns = Fraction(start), Fraction(1), [], []
    for n, (value, into, out) in enumerate(rows, start=1):
        if before + into > 0:
            growth *= Fraction(value + out) / (before + into)
        before = Fraction(value)
        days.append({"date": str(START + timedelta(days=n)), "valueMinor": value, "inMinor": into, "outMinor": out})
        returns.append(float(growth - 1))
    return {"name": name, "startValueMinor": start, "days": days, "returns": returns}


def random_case(seed):
    chance = random.Random(seed)
    start, rows, value = chance.choice([0, 1_000_00]), [], 0
    value = start
    for _ in range(chance.randint(5, 60)):
        into = chance.choice([0, 0, 0, chance.randint(1, 5_000_00)])
        value = int((value + into) * chance.uniform(0.9, 1.12))
        out = chance.choice([0, 0, 0, value, value // 3])
        value -= out
        rows.append((value, into, out))
    return case(f"random days {seed}", start, rows)


CASES = [
    case("two quarters of +10 % and -10 %, money added between", 1_000, [(1_100, 0, 0), (1_980, 1_100, 0)]),
    case("paid out on the way", 1_000, [(550, 0, 550), (605, 0, 0)]),
    case("lost, and begun anew", 1_000, [(0, 0, 0), (1_000, 1_000, 0), (2_000, 0, 0)]),
] + [random_case(seed) for seed in range(1, 21)]

path = pathlib.Path(__file__).with_name("time-weighted.json")
path.write_text(json.dumps({"madeBy": "time-weighted.py", "cases": CASES}, indent=1) + "\n")
