"""`make demo` as people see it: in a terminal, in a pipe, and in a job of CI. No browser is needed."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.request

from rig import BIN, ROOT, Rig

PATIENCE = 120


class Terminal:
    """A program in a window, with all that it has printed."""

    def __init__(self, *arguments, environment):
        self.text = ""
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.execvpe(arguments[0], arguments, environment)

    def read(self):
        """Waits for more of what it prints; false once it has ended."""
        try:
            more = os.read(self.end, 65536) if select.select([self.end], [], [], 1)[0] else b"\0"
        except OSError:
            return False
        self.text += more.decode(errors="replace").replace("\0", "").replace("\r", "")
        return more != b""

    def wait_for(self, pattern):
        limit = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text)):
            if not self.read() or time.monotonic() > limit:
                raise AssertionError(f"no {pattern} in {self.text}")
        return found

    def type(self, keys):
        os.write(self.end, keys.encode())

    def status(self):
        """Waits for its end."""
        limit = time.monotonic() + PATIENCE
        while self.read():
            if time.monotonic() > limit:
                os.kill(self.pid, signal.SIGKILL)
                break
        os.close(self.end)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class Demo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Rig(photos=None)

    @classmethod
    def tearDownClass(cls):
        cls.rig.stop()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="facefetch-demo-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        # The programs that the tests have been built with, and no browser that would come up here.
        swift = self.folder / "swift"
        swift.write_text(f"#!/bin/sh\necho {BIN}\n")
        swift.chmod(0o755)
        self.environment = {name: value for name, value in os.environ.items() if name not in ("CI", "GALLERY", "DISPLAY")}
        self.environment |= {
            "SWIFT": str(swift), "TMPDIR": str(self.folder), "BROWSER": "/bin/true",
            "URLS": f"{self.rig.origin}/painted-2.jpg  {self.rig.origin}/painted-3.jpg"}

    def left(self):
        """What is left of it when it has ended."""
        return [one.name for one in self.folder.iterdir() if one.name != "swift"]

    def test_in_a_terminal_the_gallery_stays_until_ctrl_c(self):
        demo = Terminal(ROOT / "scripts/demo", environment=self.environment)
        address = demo.wait_for(r"(?m)^(http://127\.0\.0\.1:\d+)/#\S+$").group(1)
        before = demo.text[: demo.text.index(address)]
        self.assertRegex(before, r"finished face detection in \"painted-2.jpg\": \d face")
        self.assertRegex(before, r"JOB +BATCH +STATE(.|\n)*j2 +b1 +done")
        self.assertRegex(before, r"The pictures stay until Ctrl-C, and can be looked at in a browser at the address below\.")
        # While one looks, it is there.
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            self.assertEqual(answer.status, 200)
        self.assertEqual(os.waitpid(demo.pid, os.WNOHANG), (0, 0))
        demo.type("\x03")
        self.assertEqual(demo.status(), 0, demo.text)
        self.assertEqual(self.left(), [])

    def test_a_job_of_ci_ends_by_itself(self):
        demo = Terminal(ROOT / "scripts/demo", environment={**self.environment, "CI": "true"})
        self.assertEqual(demo.status(), 0, demo.text)
        self.assertIn("finished face detection", demo.text)
        self.assertNotIn("#", demo.text.split("$ facefetch list")[1])
        self.assertEqual(self.left(), [])

    def test_a_pipe_gets_log_and_table(self):
        done = subprocess.run([ROOT / "scripts/demo"], env=self.environment, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("gallery", done.stdout)
        self.assertEqual(self.left(), [])

    def test_one_line_says_what_is_about_to_be_installed(self):
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        calls = self.folder / "calls"
        # A machine on which nothing is installed, and nothing is.
        for name in ("apt-get", "apt-cache", "dpkg-query", "tee", "chmod", "rm", "mkdir", "sudo", "env"):
            one = bin_folder / name
            one.write_text(f"#!/bin/sh\necho {name} \"$@\" >>{calls}\n" + ("cat\n" if name == "tee" else ""))
            one.chmod(0o755)
        done = subprocess.run(["/bin/bash", ROOT / "scripts/install-packages"], text=True, capture_output=True, check=False,
                              env={**self.environment, "PATH": f"{bin_folder}:/usr/bin:/bin"}, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("\n"), 1, done.stdout)
        self.assertRegex(done.stdout, r"^Installing ca-certificates .*libvips-dev.* from Debian, and what they need\.$")
        self.assertIn("install --yes", calls.read_text())


if __name__ == "__main__":
    unittest.main()
