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


class Packages(unittest.TestCase):
    """What it installs from Debian before it builds, with a Debian that is made up."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="facefetch-packages-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.calls = self.folder / "calls"
        self.calls.touch()
        (self.folder / "bin").mkdir()
        (self.folder / "scripts").mkdir()

    def program(self, name, *lines):
        """Puts a program in the place of the system's that notes its calls and then does what these lines do."""
        one = self.folder / "bin" / name
        one.write_text("\n".join(["#!/bin/sh", f'echo {name} "$@" >>{self.calls}', *lines, ""]))
        one.chmod(0o755)

    def run_script(self, name, *arguments):
        shutil.copy(ROOT / "scripts" / name, self.folder / "scripts")
        self.calls.write_text("")
        return subprocess.run([self.folder / "scripts" / name, *arguments], text=True, capture_output=True, check=False,
                              env={"PATH": f"{self.folder}/bin:/usr/bin:/bin"}, timeout=PATIENCE)

    def test_one_line_says_what_is_about_to_be_installed(self):
        # A machine on which nothing is installed, and nothing is.
        for name in ("apt-get", "dpkg-query", "chmod", "rm", "mkdir", "sudo", "env"):
            self.program(name)
        self.program("tee", "cat")
        unpack = self.folder / "scripts/unpack-headers"
        # Nor can headers be unpacked before the libraries are there.
        unpack.write_text(f'#!/bin/sh\necho unpack-headers "$@" >>{self.calls}\ngrep -q "install --yes" {self.calls}\n')
        unpack.chmod(0o755)
        done = self.run_script("install-packages")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("\n"), 1, done.stdout)
        self.assertRegex(done.stdout, r"^Installing ca-certificates .* libvips42.* from Debian, and what they need\.$")
        calls = self.calls.read_text()
        installed = re.search("^env .* install --yes (.*)", calls, re.MULTILINE).group(1)
        self.assertNotIn("vips-dev", installed)
        self.assertRegex(calls.split(installed)[1], r"^\nunpack-headers .* libvips-dev libvips42")

    def headers(self, version, *, fetched=True):
        """Unpacks the headers of two packages, whose libraries are installed at this version."""
        self.program("dpkg-query", f"printf '%s' '{version}'")
        self.program("apt-get", f'cp {self.folder}/debs/*.deb "$PWD"' if fetched else "exit 100")
        return self.run_script("unpack-headers", "libone-dev", "libone1", "libtwo-dev", "libtwo2")

    def package(self, name, *files, link):
        """Makes a package with files, each of which says where it was, and a link to a library."""
        root = self.folder / name
        library = root / "usr/lib/x86_64-linux-gnu"
        for path in (root / "DEBIAN", library, self.folder / "debs"):
            path.mkdir(parents=True, exist_ok=True)
        (root / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: a <a@a.example>\nDescription: a\n")
        for file in files:
            (root / "usr" / file).parent.mkdir(parents=True, exist_ok=True)
            (root / "usr" / file).write_text(file)
        (library / f"{link}.a").touch()
        (library / f"{link}.so").symlink_to(f"{link}.so.1")
        subprocess.run(["dpkg-deb", "--build", root, self.folder / "debs"], check=True, capture_output=True)

    def test_headers_are_unpacked_in_one_folder_and_again_for_another_version(self):
        self.package(
            "libone-dev", "include/one/one.h", "include/x86_64-linux-gnu/one.h",
            "include/x86_64-linux-gnu/opencv4/opencv2/build.h", "include/opencv4/opencv2/core.hpp", link="libone")
        self.package(
            "libtwo-dev", "include/glib-2.0/glib.h", "lib/x86_64-linux-gnu/glib-2.0/include/glibconfig.h",
            link="libtwo")
        unpacked = self.folder / ".build/unpacked"
        done = self.headers("1.2-3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("libone-dev=1.2-3 libtwo-dev=1.2-3", self.calls.read_text())
        headers = {
            str(file.relative_to(unpacked / "include"))
            for file in (unpacked / "include").rglob("*") if file.is_file()}
        self.assertEqual(
            headers, {"one/one.h", "one.h", "opencv2/build.h", "opencv2/core.hpp", "glib.h", "glibconfig.h"})
        # Links to what is installed, and no archives that would be linked in.
        self.assertEqual({file.name: os.readlink(file) for file in (unpacked / "lib").iterdir()},
                         {f"lib{one}.so": f"/usr/lib/x86_64-linux-gnu/lib{one}.so.1" for one in ("one", "two")})
        self.assertEqual([one.name for one in (self.folder / ".build").iterdir()], ["unpacked"])

        for version, fetches in (("1.2-3", False), ("1.2-3+deb12u1", False), ("1.3-1", True), ("1.3-1", False)):
            self.assertEqual(self.headers(version).returncode, 0)
            self.assertEqual("apt-get" in self.calls.read_text(), fetches, version)

        # What was there stays where no other can be had, and installing is said to do as well.
        done = self.headers("1.4-1", fetched=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt-get install libone-dev libtwo-dev\n", done.stderr)
        self.assertEqual([one.name for one in (self.folder / ".build").iterdir()], ["unpacked"])
        self.assertEqual(self.headers("1.3-1", fetched=False).returncode, 0)

    def test_headers_of_a_library_that_is_not_installed_are_refused(self):
        done = self.headers("")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "libone-dev can't be unpacked: libone1 isn't installed.\n")
        self.assertNotIn("apt-get", self.calls.read_text())


if __name__ == "__main__":
    unittest.main()
