"""The way into a gallery: the real programs over real sockets."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import unittest

from rig import Rig


class WayIn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Rig()
        cls.rig.start_daemon()
        cls.link = cls.rig.start_gallery()
        cls.address, cls.cookie, cls.secret, cls.prefix = cls.rig.enter(cls.link)

    @classmethod
    def tearDownClass(cls):
        cls.rig.stop()

    def status(self, method="GET", path="/v1/status", url=None, prefix=None, **fields):
        """What a request is answered with; the daemon's paths stand behind the prefix."""
        if path.startswith("/v1/"):
            path = (self.prefix if prefix is None else prefix) + path
        headers = {name.replace("_", "-"): value for name, value in fields.items() if value is not None}
        body = b"" if method in ("POST", "PATCH", "PUT") else None
        return self.rig.ask(method, (url or self.address) + path, headers, body)[0]

    def test_the_first_line_is_the_address_and_nothing_else(self):
        self.assertRegex(self.link, r"^http://127\.0\.0\.1:\d+/#[0-9a-f]{32}$")

    def test_a_token_works_once(self):
        address, token = self.link.split("/#")
        body = b'{"token":"%s"}' % token.encode()
        self.assertEqual(self.rig.ask("POST", address + "/session", {"Origin": address}, body)[0], 403)
        fresh = self.rig.new_link()
        self.assertNotEqual(fresh, self.link)
        self.assertEqual(self.rig.enter(fresh), (self.address, self.cookie, self.secret, self.prefix))

    def test_the_cookie_is_for_this_gallery_and_no_script(self):
        link = self.rig.new_link()
        address, token = link.split("/#")
        fields = self.rig.ask("POST", address + "/session", {"Origin": address}, b'{"token":"%s"}' % token.encode())[1]
        port = address.rsplit(":", 1)[1]
        self.assertRegex(fields["Set-Cookie"], rf"^facefetch-{port}=\w+; HttpOnly; SameSite=Strict; Path=/$")

    def test_another_host_is_refused(self):
        for host in ("evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"):
            self.assertEqual(self.status(Host=host, Cookie=self.cookie), 421, host)
            self.assertEqual(self.status(path="/", Host=host), 421, host)
        port = self.address.rsplit(":", 1)[1]
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
            self.assertEqual(self.status(Host=host, Cookie=self.cookie), 200, host)

    def test_looking_takes_the_cookie(self):
        self.assertEqual(self.status(), 401)
        self.assertEqual(self.status(Cookie="facefetch-1=a"), 401)
        self.assertEqual(self.status(Cookie=self.cookie), 200)

    def test_the_cookie_alone_which_every_port_of_the_host_gets_reads_nothing(self):
        self.rig.add("painted-1.jpg")
        for path in ("/v1/status", "/v1/jobs", "/v1/hosts", "/v1/jobs/1", "/v1/jobs/1/document", "/v1/jobs/1/similar",
                     "/v1/jobs/1/picture/thumb", "/v1/jobs/1/picture/medium", "/v1/jobs/1/picture/large", "/v1/batches", "/v1/batches/1",
                     "/v1/documents/index", "/v1/events?follow=false", "/v1/sources", "/pictures.zip?ids=1"):
            for prefix in ("", "/s/" + "0" * 32, "/s/" + self.secret, self.prefix[:-1], self.prefix + "0"):
                status, fields, body = self.rig.ask("GET", self.address + prefix + path, {"Cookie": self.cookie})
                self.assertEqual((status, json.loads(body)["code"]), (401, "bad_prefix"), path)
            self.assertEqual(self.rig.ask("GET", self.address + self.prefix + path)[0], 401, path)
            status, fields, _ = self.rig.ask("GET", self.address + self.prefix + path, {"Cookie": self.cookie})
            self.assertEqual((status, fields["Referrer-Policy"]), (200, "no-referrer"), path)
        # Nor does it change anything.
        right = {"Origin": self.address, "Cookie": self.cookie, "X_Facefetch_Secret": self.secret}
        self.assertEqual(self.status("POST", "/v1/detection/release", prefix="", **right), 401)

    def test_the_prefix_is_printed_nowhere(self):
        gallery = subprocess.Popen(
            [self.rig.program("facefetch-gallery"), "--socket", self.rig.socket, "--no-browser"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.rig.galleries.append(gallery)
        address, cookie, _, prefix = self.rig.enter(gallery.stdout.readline().rstrip("\n"))
        self.assertRegex(prefix, r"^/s/[0-9a-f]{32}$")
        for path in ("/v1/status", "/v1/jobs/999999/document", "/nothing"):
            _, fields, body = self.rig.ask("GET", address + prefix + path, {"Cookie": cookie})
            self.assertNotIn(prefix, f"{fields}{body}")
        gallery.send_signal(signal.SIGTERM)
        said = gallery.communicate(timeout=30)
        self.assertNotIn(prefix, "".join(said))

    def test_changing_takes_origin_cookie_and_secret(self):
        right = {"Origin": self.address, "Cookie": self.cookie, "X_Facefetch_Secret": self.secret}
        hold = {"method": "POST", "path": "/v1/detection/release"}
        self.assertEqual(self.status(**hold, **right), 200)
        self.assertEqual(self.status(**hold, **{**right, "X_Facefetch_Secret": None}), 403)
        self.assertEqual(self.status(**hold, **{**right, "X_Facefetch_Secret": "0" * 32}), 403)
        self.assertEqual(self.status(**hold, **{**right, "Cookie": None}), 401)
        self.assertEqual(self.status(**hold, **{**right, "Origin": None}), 403)
        self.assertEqual(self.status(**hold, **{**right, "Origin": "http://evil.example"}), 403)
        self.assertEqual(self.status(**hold, **{**right, "Origin": None, "Sec_Fetch_Site": "same-origin"}), 200)
        self.assertEqual(self.status(**hold, **right, Sec_Fetch_Site="cross-site"), 403)

    def test_another_site_may_not_look(self):
        for site in ("cross-site", "same-site"):
            self.assertEqual(self.status(Cookie=self.cookie, Sec_Fetch_Site=site), 403)
        self.assertEqual(self.status(Cookie=self.cookie, Sec_Fetch_Site="none"), 200)

    def test_only_what_the_page_needs_is_passed_on(self):
        right = {"Origin": self.address, "Cookie": self.cookie, "X_Facefetch_Secret": self.secret}
        for method, path in (("GET", "/v1/metrics"), ("GET", "/v1/openapi.json"), ("POST", "/v1/batches/1/renew"),
                             ("POST", "/v1/sources"), ("DELETE", "/v1/sources/a"), ("GET", "/v1/jobs/../metrics")):
            self.assertEqual(self.status(method, path, **right), 404, path)
        for path in ("/v1/jobs", "/v1/batches", "/v1/documents/index"):
            self.assertEqual(self.status(path=path, Cookie=self.cookie), 200, path)
        # Forgetting takes the second secret, as any change.
        self.assertEqual(self.status("POST", "/v1/jobs/forget", Origin=self.address, Cookie=self.cookie), 403)

    def test_every_answer_has_a_policy(self):
        for path in ("/", "/app.js", f"{self.prefix}/v1/status", "/nothing"):
            fields = self.rig.ask("GET", self.address + path, {"Cookie": self.cookie})[1]
            policy = dict(part.split(" ", 1) for part in fields["Content-Security-Policy"].split("; "))
            self.assertEqual(policy.pop("default-src"), "'none'", path)
            self.assertEqual(set(policy.values()) - {"'none'"}, {"'self'"}, path)
            self.assertEqual(fields["X-Content-Type-Options"], "nosniff", path)
            self.assertEqual(fields["Referrer-Policy"], "no-referrer", path)
            self.assertEqual(fields["Cache-Control"], "no-store", path)

    def test_a_client_that_closes_its_half_after_asking_gets_its_answer(self):
        host = self.address.removeprefix("http://")
        place, port = host.rsplit(":", 1)
        nothing = f"{self.prefix}/nothing"
        for path in ("/", "/app.js", f"{self.prefix}/v1/status", f"{self.prefix}/v1/jobs", nothing):
            with socket.create_connection((place, int(port)), timeout=60) as client:
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {self.cookie}\r\n\r\n".encode())
                client.shutdown(socket.SHUT_WR)
                answer = http.client.HTTPResponse(client)
                answer.begin()
                self.assertEqual(answer.status, 404 if path == nothing else 200, path)
                self.assertEqual(len(answer.read()), int(answer.headers["Content-Length"]), path)
                self.assertEqual(client.recv(1), b"", path)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv") and shutil.which("curl"), "takes root")
    def test_another_user_of_the_machine_is_refused(self):
        command = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"Cookie: {self.cookie}",
                   f"{self.address}{self.prefix}/v1/status"]
        self.assertEqual(subprocess.run(command, capture_output=True, text=True).stdout, "200")
        other = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *command]
        self.assertEqual(subprocess.run(other, capture_output=True, text=True).stdout, "403")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "takes root")
    def test_another_user_of_the_machine_takes_no_place(self):
        port = int(self.address.rsplit(":", 1)[1])
        idle = ("import socket\n"
                f"all = [socket.create_connection(('127.0.0.1', {port})) for _ in range(400)]\n"
                "print(all[-1].recv(12).decode(), flush=True)\ninput()\n")
        other = subprocess.Popen(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/python3", "-c", idle],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(other.communicate, "\n")
        self.assertEqual(other.stdout.readline(), "HTTP/1.1 403\n")
        self.assertEqual(self.status(Cookie=self.cookie), 200)

    def test_a_service_worker_of_another_program_is_ended(self):
        status, fields, script = self.rig.ask("GET", self.address + "/any/worker.js", {"Service-Worker": "script"})
        self.assertEqual((status, fields["Content-Type"]), (200, "text/javascript; charset=utf-8"))
        self.assertIn(b"registration.unregister()", script)
        self.assertEqual(self.status(path="/any/worker.js"), 401)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "takes root")
    def test_another_user_is_refused_also_with_the_port_of_somebody_elses_connection(self):
        port = int(self.address.rsplit(":", 1)[1])
        own = socket.create_connection(("127.0.0.1", port))
        self.addCleanup(own.close)
        # From another address of the loopback interface, by a socket of IPv6, so that only the port is the same.
        ask = ("import socket, sys\n"
               "one = socket.socket(socket.AF_INET6)\n"
               "one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n"
               f"one.bind(('::ffff:127.0.0.2', {own.getsockname()[1]}))\n"
               f"one.connect(('::ffff:127.0.0.1', {port}))\n"
               f"one.sendall(b'GET {self.prefix}/v1/status HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\nCookie: {self.cookie}\\r\\n\\r\\n')\n"
               "print(one.recv(12).decode())\n")
        for user, status in (("65534", "403"), ("0", "200")):
            done = subprocess.run(["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "/usr/bin/python3", "-c", ask],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.stdout, f"HTTP/1.1 {status}\n", done.stderr)

    def test_requests_leave_nothing_behind(self):
        self.rig.add("painted-1.jpg")
        connection = http.client.HTTPConnection(self.address.split("//")[1], timeout=60)
        self.addCleanup(connection.close)

        def ask(times):
            for _ in range(times):
                connection.request("GET", f"{self.prefix}/v1/jobs/1/picture/thumb", headers={"Cookie": self.cookie})
                answer = connection.getresponse()
                self.assertEqual(answer.status, 200)
                answer.read()

        def memory():
            for line in pathlib.Path(f"/proc/{self.rig.galleries[0].pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    return int(line.split()[1])

        ask(100)
        before = memory()
        ask(500)
        self.assertLess(memory() - before, 2000, "kB more after 500 thumbnails over one connection")

    def start_with_browser(self):
        """A gallery that opens a browser, which notes what it was started with."""
        folder = self.rig.folder / f"desktop-{time.monotonic_ns()}"
        folder.mkdir(mode=0o700)
        browser = folder / "xdg-open"
        browser.write_text('#!/bin/sh\ncd "$XDG_RUNTIME_DIR"\necho "$1" >note\nls -l /proc/self/fd >>note\n'
                           'grep ^Sig /proc/self/status >>note\nmv note seen\n')
        browser.chmod(0o755)
        gallery = subprocess.Popen(
            [self.rig.program("facefetch"), "--socket", self.rig.socket, "gallery"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
            env={**os.environ, "DISPLAY": ":0", "XDG_RUNTIME_DIR": str(folder), "PATH": f"{folder}:{os.environ['PATH']}"})
        self.rig.galleries.append(gallery)
        link = gallery.stdout.readline().rstrip("\n")
        seen = folder / "seen"
        self.until(seen.exists, "no browser was started")
        file, *about = seen.read_text().splitlines()
        return gallery, link, pathlib.Path(file), about

    def until(self, condition, what):
        end = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    def test_the_browser_gets_a_file_and_nothing_else(self):
        gallery, link, file, about = self.start_with_browser()
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        self.assertEqual(file.parent.stat().st_mode & 0o777, 0o700)
        self.assertIn(f'content="0;url={link}"', file.read_text())
        descriptors = [line.split("-> ")[1] for line in about if "-> " in line]
        self.assertEqual([one for one in descriptors if one != "/dev/null" and not one.startswith("/proc/")
                          and not one.endswith("/note")], [])
        # Nor has it signals ignored or blocked because the gallery has; glibc keeps 32 and 33 for itself.
        signals = [int(line.split()[1], 16) & ~(3 << 31) for line in about if line.startswith(("SigIgn", "SigBlk"))]
        self.assertEqual(signals, [0, 0])
        # Once somebody is in, the file has nothing to say any more.
        self.rig.enter(link)
        self.until(lambda: not file.exists(), "the file is still there")
        gallery.send_signal(signal.SIGINT)
        self.assertEqual(gallery.wait(30), 0)

    def test_the_browsers_file_goes_with_the_gallery(self):
        gallery, _, file, _ = self.start_with_browser()
        self.assertTrue(file.exists())
        gallery.send_signal(signal.SIGTERM)
        self.assertEqual(gallery.wait(30), 0)
        self.assertFalse(file.exists())

    def test_two_live_side_by_side(self):
        other = self.rig.start_gallery()
        address, cookie, _, prefix = self.rig.enter(other)
        both = f"{self.cookie}; {cookie}"
        self.assertEqual(self.status(Cookie=both), 200)
        self.assertEqual(self.status(url=address, prefix=prefix, Cookie=both), 200)
        self.assertEqual(self.status(url=address, prefix=prefix, Cookie=self.cookie), 401)
        # The prefix of one is none of the other, whatever cookies come along.
        self.assertEqual(self.status(url=address, Cookie=both), 401)
        self.assertEqual(self.status(prefix=prefix, Cookie=both), 401)
        self.rig.gallery.send_signal(signal.SIGINT)
        self.assertEqual(self.rig.gallery.wait(30), 0)
        self.rig.gallery = self.rig.galleries[0]

    def test_nobody_uses_it_so_it_ends(self):
        self.rig.start_gallery("--for", "1s")
        gallery = self.rig.gallery
        self.rig.gallery = self.rig.galleries[0]
        self.assertEqual(gallery.wait(30), 0)

    def test_bad_usage_is_told_in_a_line(self):
        for flags, words in ((("--port", "99999"), "--port is 99999; give 1 to 65535."), (("--for", "5x"), "'5x' is invalid"),
                             (("--prot", "80"), "Did you mean '--port'?")):
            done = self.rig.facefetch("gallery", "--no-browser", *flags)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)
            self.assertTrue(done.stderr.endswith('See "facefetch gallery --help".\n'), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_port_that_somebody_has_is_told(self):
        port = self.address.rsplit(":", 1)[1]
        done = self.rig.facefetch("gallery", "--no-browser", "--port", port)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"can't listen on 127.0.0.1:{port}: Address already in use; choose another --port", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_daemon_that_is_not_there_is_told_and_waited_for(self):
        gallery = subprocess.Popen(
            [self.rig.program("facefetch"), "--socket", self.rig.folder / "none.sock", "gallery", "--no-browser"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.rig.galleries.append(gallery)
        said = gallery.stderr.readline()
        self.assertIn("The daemon is not running", said)
        self.assertIn("The gallery waits for it.", said)
        address, cookie, _, prefix = self.rig.enter(gallery.stdout.readline().rstrip("\n"))
        self.assertEqual(self.status(url=address, prefix=prefix, Cookie=cookie), 503)

    def test_who_is_refused_does_not_keep_it_alive(self):
        link = self.rig.start_other_gallery("--for", "1s")
        gallery, address = self.rig.galleries[-1], link.split("/#")[0]
        end = time.monotonic() + 60
        while gallery.poll() is None and time.monotonic() < end:
            for path, fields, body in (("/", {"Host": "evil.example"}, None), ("/none", {}, None), ("/v1/status", {}, None),
                                       ("/session", {"Origin": address}, b'{"token":"0"}')):
                try:
                    status = self.rig.ask("POST" if body else "GET", address + path, fields, body)[0]
                    self.assertIn(status, (401, 403, 404, 421))
                except OSError:
                    # It has ended, or is about to.
                    pass
        self.assertEqual(gallery.poll(), 0, "it is kept alive")

    def test_listen_and_host_only_together(self):
        for flags in (("--listen", "127.0.0.1"), ("--host", "pictures.example")):
            done = self.rig.facefetch("gallery", "--no-browser", *flags)
            self.assertEqual(done.returncode, 2)
            self.assertIn("belong together", done.stderr)
        link = self.rig.start_gallery("--listen", "127.0.0.1", "--host", "pictures.example")
        self.assertTrue(link.startswith("http://pictures.example:"))
        self.assertIn("plain HTTP", self.rig.gallery.stderr.readline())
        if os.geteuid() == 0 and shutil.which("setpriv") and shutil.which("curl"):
            # From elsewhere nobody's user is known: the cookie is what lets in.
            port = link.split(":")[2].split("/")[0]
            answer = subprocess.run(
                ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}",
                 "-H", f"Host: pictures.example:{port}", f"http://127.0.0.1:{port}/v1/status"], capture_output=True, text=True)
            self.assertEqual(answer.stdout, "401", answer.stderr)
        self.rig.gallery.send_signal(signal.SIGTERM)
        self.assertEqual(self.rig.gallery.wait(30), 0)
        self.rig.gallery = self.rig.galleries[0]


if __name__ == "__main__":
    unittest.main()
