"""Signs transactions with eth-account, to compare signatures with.

Reads a line of JSON for each: {"key": 64 hexadecimal digits, "transaction": fields}. Prints the signed transactions.
"""

import json
import sys

from eth_account import Account

for line in sys.stdin:
    entry = json.loads(line)
    print(Account.sign_transaction(entry["transaction"], "0x" + entry["key"]).raw_transaction.hex())
