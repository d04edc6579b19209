"""An endpoint of equal durability in Python: JSON rows in, one transaction a batch, write-ahead log, synchronous=FULL.

No gate, no tokens, no contacts, no statuses of rows, and what is deleted is not overwritten (secure_delete). usage: endpoint.py FILE  (prints its port)
"""
import http.server, json, sqlite3, sys, threading

local = threading.local()
lock = threading.Lock()
file = sqlite3.connect(sys.argv[1], check_same_thread=False, isolation_level=None)
file.executescript("""PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
CREATE TABLE IF NOT EXISTS position (device TEXT, time INTEGER, longitude REAL, latitude REAL, accuracy REAL, floor REAL,
venue TEXT, PRIMARY KEY (device, time)) WITHOUT ROWID;""")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        rows = json.loads(self.rfile.read(int(self.headers["content-length"])))["rows"]
        with lock:
            file.execute("BEGIN IMMEDIATE")
            file.executemany(
                "INSERT OR IGNORE INTO position VALUES (?,?,?,?,?,?,?)",
                [(r["device"], r["time"], *r["lonlat"], r["acc"], r["floor"], r["venue"]) for r in rows])
            file.execute("COMMIT")
        body = json.dumps({"results": [{"status": "stored"} for _ in rows]}, separators=(",", ":")).encode()
        self.send_response(207)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
