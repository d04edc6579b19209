"""A chain for tests: eth-tester with py-evm behind JSON-RPC on loopback, and a token on it.

    python chain.py PAYER SUPPLY ETHER

It compiles token.vy, deploys it, gives the account PAYER SUPPLY units of the token and ETHER wei, and prints one line of JSON
with the port, the number of the chain and the address of the token. It ends with its standard input.

Besides the methods of nodes there are those of tests: test_balance, test_mine, test_behave, test_fund, test_tokens,
test_spend, test_sends, and test_fault. A fault changes the answers until the next call of test_fault:

- "down": the connection ends without an answer
- "nonsense": an answer that is not JSON
- "hold": eth_sendRawTransaction is carried out, and its answer never comes
- "lose": eth_sendRawTransaction is carried out, and the connection ends without an answer
- "drop": eth_sendRawTransaction is answered, and not carried out
"""

import json
import pathlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import vyper
from eth_abi import encode
from eth_tester import EthereumTester, PyEVMBackend
from eth_tester.exceptions import TransactionFailed, TransactionNotFound
from eth_utils import function_signature_to_4byte_selector, to_hex

WEI = 10**18


class Refusal(Exception):
    """An error of JSON-RPC."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def call_data(signature, *values):
    kinds = signature[signature.index("(") + 1 : -1].split(",")
    return to_hex(function_signature_to_4byte_selector(signature) + encode(kinds, values))


class Chain:
    """The chain, the token and the state of faults. Its methods are those of JSON-RPC."""

    def __init__(self, payer, supply, ether):
        self.lock = threading.Lock()
        self.fault = ""
        self.sends = []
        self.tester = EthereumTester(PyEVMBackend())
        self.owner = self.tester.get_accounts()[0]
        self.payer = payer
        source = (pathlib.Path(__file__).parent / "token.vy").read_text()
        code = vyper.compile_code(source, output_formats=["bytecode"])["bytecode"]
        code += encode(["uint256"], [10**30]).hex()
        made = self.transact({"data": code, "gas": 2_000_000})
        self.token = made["contract_address"]
        if supply:
            self.test_tokens(supply)
        if ether:
            self.test_fund(hex(ether))

    def transact(self, change):
        base = self.tester.get_block_by_number("pending")["base_fee_per_gas"]
        entry = {"from": self.owner, "gas": 200_000, "max_fee_per_gas": base * 2 + 1, "max_priority_fee_per_gas": 1}
        sent = self.tester.send_transaction({**entry, **change})
        return self.tester.get_transaction_receipt(sent)

    # Methods of nodes.

    def eth_chainId(self):
        return hex(self.tester.backend.chain.chain_id)

    def eth_blockNumber(self):
        return hex(self.tester.get_block_by_number("latest")["number"])

    def eth_getTransactionCount(self, account, block):
        return hex(self.tester.get_nonce(account, int(block, 16) if block.startswith("0x") else block))

    def eth_gasPrice(self):
        return hex(self.tester.get_block_by_number("pending")["base_fee_per_gas"] + WEI // 10**9)

    def eth_feeHistory(self, count, newest, shares):
        history = self.tester.get_fee_history(int(count, 16), newest, shares or [])
        return {
            "oldestBlock": hex(history["oldest_block"]),
            "baseFeePerGas": [hex(fee) for fee in history["base_fee_per_gas"]],
        }

    def eth_call(self, transaction, block):
        entry = {"from": transaction["from"], "to": transaction["to"], "data": transaction["data"], "gas": 1_000_000}
        try:
            return self.tester.call(entry, block)
        except TransactionFailed:
            raise Refusal(3, "execution reverted") from None
        except Exception as error:  # The classes differ between versions; nodes answer all of them alike.
            raise Refusal(-32000, str(error)) from None

    def eth_getCode(self, account, block):
        return self.tester.get_code(account, block)

    def eth_sendRawTransaction(self, raw):
        self.sends.append(raw)
        if self.fault == "drop":
            return "0x" + "00" * 32
        try:
            return self.tester.send_raw_transaction(raw)
        except Exception as error:  # As above.
            raise Refusal(-32000, str(error)) from None

    def eth_getTransactionReceipt(self, transaction):
        try:
            receipt = self.tester.get_transaction_receipt(transaction)
        except TransactionNotFound:
            return None
        if receipt["block_number"] is None:
            return None
        return {
            "transactionHash": receipt["transaction_hash"],
            "blockNumber": hex(receipt["block_number"]),
            "status": hex(receipt["status"]),
            "from": receipt["from"],
            "to": receipt["to"],
            "logs": [
                {"address": log["address"], "topics": list(log["topics"]), "data": log["data"]} for log in receipt["logs"]
            ],
        }

    # Methods of tests.

    def test_balance(self, account):
        entry = {"from": self.owner, "to": self.token, "data": call_data("balanceOf(address)", account), "gas": 1_000_000}
        return str(int(self.tester.call(entry, "latest"), 16))

    def test_mine(self, count):
        self.tester.mine_blocks(count)

    def test_behave(self, is_stopped, is_silent):
        self.transact({"to": self.token, "data": call_data("behave(bool,bool)", is_stopped, is_silent)})

    def test_tokens(self, amount):
        self.transact({"to": self.token, "data": call_data("transfer(address,uint256)", self.payer, amount)})

    def test_fund(self, wei):
        self.transact({"to": self.payer, "value": int(wei, 16), "gas": 21_000})

    def test_spend(self, raw):
        """A transaction of the paying account that the ledger does not know."""
        return self.tester.send_raw_transaction(raw)

    def test_sends(self):
        return self.sends

    def test_fault(self, name):
        self.fault = name


class Handler(BaseHTTPRequestHandler):
    """JSON-RPC by POST. Calls run one at a time."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method, chain = body["method"], self.server.chain
        is_node = method.startswith("eth_")
        if is_node and chain.fault == "down":
            self.close_connection = True
            return
        if is_node and chain.fault == "nonsense":
            self.reply(b"<html>busy</html>")
            return
        answer = {"jsonrpc": "2.0", "id": body["id"]}
        try:
            if not (is_node or method.startswith("test_")) or not hasattr(chain, method):
                raise Refusal(-32601, "no such method")
            with chain.lock:
                answer["result"] = getattr(chain, method)(*body["params"])
        except Refusal as refusal:
            answer["error"] = {"code": refusal.code, "message": str(refusal)}
        if method == "eth_sendRawTransaction" and chain.fault == "hold":
            threading.Event().wait()
        if method == "eth_sendRawTransaction" and chain.fault == "lose":
            self.close_connection = True
            return
        self.reply(json.dumps(answer).encode())

    def reply(self, body):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def main():
    payer, supply, ether = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.chain = Chain(payer, supply, ether)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = {"port": server.server_port, "chain": int(server.chain.eth_chainId(), 16), "token": server.chain.token}
    print(json.dumps(place), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
