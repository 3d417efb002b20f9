"""Many connections, odd requests and long bodies: who makes them, and what the owner of a gallery notices of it."""

import contextlib
import ctypes
import errno
import http.client
import os
import shutil
import socket
import subprocess
import time
import unittest

from rig import Rig

# Seconds in which an owner has an answer, on a machine that is busy with other things as well; without places for
# all, one would come after a minute.
PATIENCE = 20


def without_netlink():
    """Has this process get no netlink socket from now on, as in some containers (seccomp(2))."""
    class Comparison(ctypes.Structure):
        _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]

    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    seccomp.seccomp_init.argtypes = [ctypes.c_uint32]
    seccomp.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p]
    seccomp.seccomp_load.argtypes = [ctypes.c_void_p]
    allow, refuse, equal = 0x7FFF0000, 0x00050000 | errno.EPERM, 4
    filter = seccomp.seccomp_init(allow)
    netlink = Comparison(0, equal, socket.AF_NETLINK, 0)
    call = seccomp.seccomp_syscall_resolve_name(b"socket")
    if seccomp.seccomp_rule_add_array(filter, refuse, call, 1, ctypes.byref(netlink)) or seccomp.seccomp_load(filter):
        raise OSError("seccomp")


class Crowd(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Rig()
        cls.rig.start_daemon()
        cls.address, cls.cookie, cls.secret, cls.prefix = cls.rig.enter(cls.rig.start_gallery())
        # One for others to reach; that all of them are on this machine makes no difference to it.
        link = cls.rig.start_other_gallery("--listen", "127.0.0.1", "--host", "localhost")
        cls.open_address, cls.open_cookie, _, cls.open_prefix = cls.rig.enter(link)

    @classmethod
    def tearDownClass(cls):
        cls.rig.stop()

    @staticmethod
    def place(address):
        return "127.0.0.1", int(address.rsplit(":", 1)[1])

    def connect(self, address):
        one = socket.create_connection(self.place(address), timeout=PATIENCE)
        self.addCleanup(one.close)
        return one

    def say(self, text, address=None):
        """Sends bytes as they are, and gives back the status of what is answered, and all of it up to the end."""
        one = self.connect(address or self.address)
        one.sendall(text.encode() if isinstance(text, str) else text)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while piece := one.recv(1 << 16):
                answer += piece
        return int(answer.split()[1]) if answer else None, answer.decode(errors="replace")

    def get(self, path=None, hosts=None, rest=""):
        path = path or f"{self.prefix}/v1/status"
        hosts = [self.address.split("//")[1]] if hosts is None else hosts
        lines = [f"GET {path} HTTP/1.1", *(f"Host: {host}" for host in hosts), f"Cookie: {self.cookie}", "Connection: close"]
        return self.say("\r\n".join(lines) + "\r\n" + rest + "\r\n")

    def owner_comes(self, address=None, cookie=None, prefix=None):
        """How long it takes the owner to have an answer on a new connection."""
        start = time.monotonic()
        connection = http.client.HTTPConnection(*self.place(address or self.address), timeout=PATIENCE)
        connection.request("GET", f"{prefix or self.prefix}/v1/status", headers={"Cookie": cookie or self.cookie})
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        return time.monotonic() - start

    def test_a_request_names_one_host_and_that_is_asked(self):
        own = self.address.split("//")[1]
        self.assertEqual(self.get()[0], 200)
        for hosts in ([own, "evil.example"], ["evil.example", own], [own, own], [], [f"{own},evil.example"]):
            status, answer = self.get(hosts=hosts)
            self.assertEqual(status, 400, hosts)
            self.assertIn('"malformed_request"', answer)
        for target in ("http://evil.example/v1/status", "http://evil.example", "HTTPS://evil.example/", "http://127.0.0.1/"):
            self.assertEqual(self.get(target)[0], 421, target)
        for target in (f"http://{own}@evil.example/", "evil:/v1/status", "ftp://evil.example/"):
            self.assertEqual(self.get(target)[0], 400, target)
        self.assertEqual(self.get(f"http://{own}{self.prefix}/v1/status")[0], 200)
        # The target decides, whatever the field says.
        self.assertEqual(self.get(f"http://{own}{self.prefix}/v1/status", hosts=["evil.example"])[0], 200)

    def test_a_long_body_gets_an_answer_and_then_the_end(self):
        own = self.address.split("//")[1]
        piece = bytes(1 << 20)
        for method, path, status in (("GET", "/", 200), ("GET", f"{self.prefix}/v1/status", 413), ("POST", "/session", 403), ("POST", "/v1/batches", 401),
                                     ("GET", "/any/worker.js", 200), ("PUT", "/nothing", 403)):
            for ending in ("close", "keep-alive"):
                with self.subTest(f"{method} {path} {ending}"):
                    start = time.monotonic()
                    one = self.connect(self.address)
                    cookie = f"Cookie: {self.cookie}\r\n" if method == "GET" else ""
                    worker = "Service-Worker: script\r\n" if "worker" in path else ""
                    site = f"Origin: {self.address}\r\n" if method == "POST" else ""
                    one.sendall(f"{method} {path} HTTP/1.1\r\nHost: {own}\r\n{cookie}{worker}{site}Connection: {ending}\r\n"
                                f"Content-Length: {200 << 20}\r\n\r\n".encode())
                    # All of it is sent before anything is read, as many programs do it.
                    for _ in range(200):
                        one.sendall(piece)
                    answer = b""
                    while more := one.recv(1 << 16):
                        answer += more
                    self.assertTrue(answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:200])
                    self.assertIn(b"\r\nconnection: close\r\n" if ending == "keep-alive" else b"\r\n\r\n", answer.lower())
                    self.assertLess(time.monotonic() - start, 40)

    def test_a_broken_body_is_its_senders_fault(self):
        own = self.address.split("//")[1]
        head = (f"POST {self.prefix}/v1/batches HTTP/1.1\r\nHost: {own}\r\nOrigin: {self.address}\r\nCookie: {self.cookie}\r\n"
                f"X-Facefetch-Secret: {self.secret}\r\nContent-Type: application/json\r\n")
        for rest in ("Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"):
            self.assertEqual(self.say(head + rest)[0], 400, rest)

    def test_the_head_of_an_archive_is_all_there_is(self):
        own = self.address.split("//")[1]
        status, answer = self.say(f"HEAD {self.prefix}/pictures.zip?ids=1 HTTP/1.1\r\nHost: {own}\r\nCookie: {self.cookie}\r\n\r\n"
                                  f"HEAD / HTTP/1.1\r\nHost: {own}\r\nCookie: {self.cookie}\r\n\r\n")
        self.assertEqual(status, 200)
        self.assertIn("connection: close", answer.lower())
        # Behind it there is no head that would be read at the wrong place.
        self.assertEqual(answer.count("HTTP/1.1 "), 1)

    def test_a_body_without_end_comes_to_one(self):
        own = self.address.split("//")[1]
        one = self.connect(self.address)
        one.sendall(f"GET / HTTP/1.1\r\nHost: {own}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        piece = b"100000\r\n" + bytes(1 << 20) + b"\r\n"
        start, sent = time.monotonic(), 0
        with self.assertRaises(OSError):
            while time.monotonic() - start < 50:
                one.sendall(piece)
                sent += 1
        self.assertLess(time.monotonic() - start, 40)

    def test_a_connection_serves_many_requests_and_one_after_nonsense_ends(self):
        own = self.address.split("//")[1]
        connection = http.client.HTTPConnection(own, timeout=PATIENCE)
        self.addCleanup(connection.close)
        for _ in range(3):
            for path in ("/", f"{self.prefix}/v1/status", "/app.js"):
                connection.request("GET", path, headers={"Cookie": self.cookie})
                answer = connection.getresponse()
                self.assertEqual(answer.status, 200)
                answer.read()
                mark = mark if "mark" in locals() else connection.sock
                self.assertIs(connection.sock, mark, "the connection was ended")
        start = time.monotonic()
        self.assertEqual(self.say("this is no request\r\n\r\n")[0], 400)
        self.assertEqual(self.say(f"GET / HTTP/1.0\r\nHost: {own}\r\n\r\n")[0], 200)
        self.assertLess(time.monotonic() - start, 40)

    def test_three_hundred_that_say_nothing_do_not_keep_the_owner_out(self):
        crowd = [self.connect(self.address) for _ in range(300)]
        self.assertLess(self.owner_comes(), PATIENCE)
        for one in crowd:
            with contextlib.suppress(OSError):
                one.sendall(b"GET / HTTP/1.1\r\nHost: ")
        self.assertLess(self.owner_comes(), PATIENCE)

    def test_half_heads_from_one_address_keep_nobody_out_who_is_in(self):
        own = self.open_address.split("//")[1]
        owner = http.client.HTTPConnection(*self.place(self.open_address), timeout=PATIENCE)
        self.addCleanup(owner.close)

        def ask():
            owner.request("GET", f"{self.open_prefix}/v1/status", headers={"Cookie": self.open_cookie, "Host": own})
            answer = owner.getresponse()
            answer.read()
            self.assertEqual(answer.status, 200)
            return owner.sock

        mark = ask()
        for _ in range(300):
            self.connect(self.open_address).sendall(f"GET / HTTP/1.1\r\nHost: {own}\r\nX-A: ".encode())
        self.assertIs(ask(), mark, "the owner's connection was ended")
        self.assertLess(self.owner_comes(self.open_address, self.open_cookie, self.open_prefix), PATIENCE)

    def test_those_who_have_no_session_do_not_keep_the_owner_out(self):
        own = self.open_address.split("//")[1]
        crowd = []
        for _ in range(260):
            one = http.client.HTTPConnection(*self.place(self.open_address), timeout=PATIENCE)
            self.addCleanup(one.close)
            one.request("GET", "/icon.svg", headers={"Host": own})
            answer = one.getresponse()
            self.assertEqual(answer.status, 200)
            answer.read()
            crowd.append(one)
        self.assertLess(self.owner_comes(self.open_address, self.open_cookie, self.open_prefix), PATIENCE)

    def test_a_stream_of_events_outlives_a_crowd(self):
        own = self.open_address.split("//")[1]
        stream = self.connect(self.open_address)
        stream.sendall(f"GET {self.open_prefix}/v1/events HTTP/1.1\r\nHost: {own}\r\nCookie: {self.open_cookie}\r\n\r\n".encode())
        self.assertTrue(stream.recv(1 << 16).startswith(b"HTTP/1.1 200 "))
        for _ in range(300):
            self.connect(self.open_address)
        mark = f"/painted-3.jpg?{time.time()}"
        self.rig.post(self.rig.origin + mark)
        heard = b""
        while mark.encode() not in heard:
            piece = stream.recv(1 << 16)
            self.assertTrue(piece, "the stream was ended")
            heard += piece

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "takes root")
    def test_another_user_with_many_sockets_does_not_hold_up_the_owner(self):
        port = self.place(self.address)[1]
        # Sockets of its own make the kernel's table of all of them long; then it comes again and again.
        crowd = ("import resource, socket\n"
                 "resource.setrlimit(resource.RLIMIT_NOFILE, (9000, 9000))\n"
                 "listener = socket.create_server(('127.0.0.1', 0), backlog=4096)\n"
                 "pairs = []\n"
                 "for _ in range(4000):\n"
                 "    pairs.append(socket.create_connection(listener.getsockname()))\n"
                 "    pairs.append(listener.accept()[0])\n"
                 "print('ready', flush=True)\n"
                 "while True:\n"
                 f"    all = [socket.create_connection(('127.0.0.1', {port})) for _ in range(160)]\n"
                 "    for one in all: one.close()\n")
        other = subprocess.Popen(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/python3", "-c", crowd],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        if other.stdout.readline() != "ready\n":
            self.skipTest("so many sockets can't be had here")
        times = sorted(self.owner_comes() for _ in range(20))
        self.assertIsNone(other.poll())
        print(f"an owner beside 160 connections of another user waits {times[10] * 1000:.0f} ms, at most {times[-1] * 1000:.0f} ms")
        # Reading the table for each takes 160 times some milliseconds, one after the other.
        self.assertLess(times[10], 2)

    def test_where_the_kernel_may_not_be_asked_its_tables_are_read(self):
        gallery = subprocess.Popen(
            [self.rig.program("facefetch-gallery"), "--socket", self.rig.socket, "--no-browser"], preexec_fn=without_netlink,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.rig.galleries.append(gallery)
        address, cookie, _, prefix = self.rig.enter(gallery.stdout.readline().rstrip("\n"))
        for _ in range(300):
            self.connect(address)
        self.assertLess(self.owner_comes(address, cookie, prefix), PATIENCE)
        if os.geteuid() == 0 and shutil.which("setpriv") and shutil.which("curl"):
            other = subprocess.run(
                ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}",
                 "-H", f"Cookie: {cookie}", f"{address}{prefix}/v1/status"], capture_output=True, text=True)
            self.assertEqual(other.stdout, "403", other.stderr)


if __name__ == "__main__":
    unittest.main()
