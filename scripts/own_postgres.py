"""A PostgreSQL cluster of a script alone, made with the programs of the newest installed version."""
import glob, os, pwd, signal, subprocess, sys, time


class Database:
    """A PostgreSQL cluster in a folder, on a socket there."""

    def __init__(self, folder, settings=()):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
        if not found:
            sys.exit("PostgreSQL is not installed")
        self.programs = os.path.dirname(found[-1])
        self.folder = folder
        self.settings = [word for setting in settings for word in ("-c", setting)]
        os.mkdir(self.folder, 0o700)
        self.prefix = []
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.prefix = ["runuser", "-u", "postgres", "--"]
        self.run("initdb", "-D", self.folder + "/data", "-U", "cordon", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()
        self.run("createdb", "-h", self.folder, "-U", "cordon", "cordon")

    def run(self, program, *words):
        return subprocess.run(self.prefix + [os.path.join(self.programs, program), *words], check=True, capture_output=True,
                              text=True, cwd="/tmp").stdout.strip()

    def start(self):
        self.process = subprocess.Popen(
            self.prefix + [os.path.join(self.programs, "postgres"), "-D", self.folder + "/data", "-k", self.folder, "-c",
                           "listen_addresses=", "-c", "log_min_messages=fatal", "-c", "max_connections=60"] + self.settings,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/tmp")
        ready = self.prefix + [os.path.join(self.programs, "pg_isready"), "-q", "-h", self.folder]
        for _ in range(600):
            if subprocess.run(ready, cwd="/tmp").returncode == 0:
                return
            time.sleep(0.05)
        sys.exit("the database did not start")

    def kill(self):
        """All processes at once, nothing written."""
        with open(self.folder + "/data/postmaster.pid") as file:
            os.kill(int(file.readline()), signal.SIGQUIT)
        self.process.wait()

    def sql(self, text):
        return self.run("psql", "-XAtq", "-h", self.folder, "-U", "cordon", "-d", "cordon", "-c", text)

    def make(self, name):
        """Makes another database and returns its URL."""
        self.run("createdb", "-h", self.folder, "-U", "cordon", name)
        return self.at(name)

    def at(self, name):
        return f"postgresql://cordon@/{name}?host=" + self.folder.replace("/", "%2F")

    @property
    def url(self):
        return self.at("cordon")

    def cpu(self):
        """Seconds of processor time of all its processes that live."""
        with open(self.folder + "/data/postmaster.pid") as file:
            first = int(file.readline())
        total = 0
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(path) as file:
                    text = file.read()
            except OSError:
                continue
            parts = text.rsplit(")", 1)[1].split()
            if int(parts[1]) == first or int(text.split()[0]) == first:
                total += int(parts[11]) + int(parts[12])
        return total / os.sysconf("SC_CLK_TCK")
