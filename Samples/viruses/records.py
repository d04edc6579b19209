#!/usr/bin/env python3
"""Answers of four clinics to viruses.json, one JSON object on each line: the same ones for the same seed. Nobody is behind them.

usage: records.py [--count 6000] [--seed 1] [--until 2026-01-31] > records.jsonl
"""
import argparse
import datetime
import json
import random

VIRUSES = {"influenza A": 30, "influenza B": 12, "RSV": 16, "rhinovirus": 20, "norovirus": 9, "SARS-CoV-2": 8, "adenovirus": 5}
CLINICS = {"north": 40, "east": 25, "south": 20, "west": 15}


def records(count, seed, until):
    source = random.Random(seed)
    for number in range(1, count + 1):
        virus = source.choices(list(VIRUSES), list(VIRUSES.values()))[0]
        onset = until - datetime.timedelta(days=min(int(source.expovariate(1 / 30)), 180) + 3)
        fever = source.random() < (0.7 if virus.startswith("influenza") else 0.3)
        state = source.choices(["ill", "recovered", "hospital"], [3, 6, 1])[0]
        record = {
            "clinic": source.choices(list(CLINICS), list(CLINICS.values()))[0], "virus_number": number, "virus_name": virus,
            "patient": f"P{source.randrange(16 ** 8):08x}", "age": min(int(abs(source.gauss(38, 22))), 110),
            "onset": onset.isoformat(), "temperature": round(source.gauss(38.6 if fever else 36.9, 0.5), 1),
            "severity": min(5, 1 + int(source.expovariate(0.7))), "vaccinated": source.random() < 0.45,
            "symptoms": [name for name, chance in (("cough", 0.6), ("fatigue", 0.5), ("nausea", 0.2)) if source.random() < chance],
            "room": {"space": f"room-{source.randrange(1, 13)}"}, "recovery_status": state,
        }
        if fever:
            record["symptoms"].insert(0, "fever")
        if state == "recovered":
            record["recovered"] = min(until, onset + datetime.timedelta(days=source.randrange(2, 15))).isoformat()
        yield record


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--count", type=int, default=6000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--until", type=datetime.date.fromisoformat, default=datetime.date(2026, 1, 31))
    options = arguments.parse_args()
    for record in records(options.count, options.seed, options.until):
        print(json.dumps(record, ensure_ascii=False))


if __name__ == "__main__":
    main()
