"""Rates by an independent implementation, written to xirr.json: pip install pyxirr==0.10.8 && python3 xirr.py"""

import json
import pathlib
import random
from datetime import date, timedelta

from pyxirr import xirr

START = date(2020, 1, 1)


def case(name, flows):
    dates = [START + timedelta(days=days) for days, _ in flows]
    rate = xirr(dates, [amount for _, amount in flows])
    shown = [{"date": str(day), "amountMinor": amount} for day, (_, amount) in zip(dates, flows)]
    return {"name": name, "flows": shown, "rate": rate}


def random_case(seed):
    chance = random.Random(seed)
    into = [(chance.randint(0, 500), -chance.randint(1_000, 5_000_000)) for _ in range(chance.randint(1, 12))]
    out = [(chance.randint(501, 2_500), chance.randint(1_000, 5_000_000)) for _ in range(chance.randint(1, 12))]
    return case(f"random flows {seed}", sorted(into + out))


CASES = [
    case("a year at 8 %", [(0, -100_000), (365, 108_000)]),
    case("two years at 8 %", [(0, -100_000), (730, 116_640)]),
    case("monthly payouts", [(0, -100_000)] + [(30 * n, 700) for n in range(1, 24)] + [(720, 100_700)]),
    case("a loss of 1.9 % in three years", [(0, -100_000), (1095, 98_100)]),
    case("a loss of almost everything", [(0, -100_000), (400, 5)]),
    case("a gain of a hundred times", [(0, -1_000), (500, 100_000)]),
    case("more money every month", [(30 * n, -10_000) for n in range(0, 36)] + [(1095, 401_234)]),
    case("in, out and in again", [(0, -100_000), (200, 60_000), (300, -50_000), (900, 99_000)]),
    case("twenty years", [(0, -100_000), (7300, 700_000)]),
] + [random_case(seed) for seed in range(1, 31)]

path = pathlib.Path(__file__).with_name("xirr.json")
path.write_text(json.dumps({"madeBy": "pyxirr 0.10.8, by xirr.py", "cases": CASES}, indent=1) + "\n")
