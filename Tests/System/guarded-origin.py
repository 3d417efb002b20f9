# Serves the files of a folder, but only to whoever brings the right header field and cookie.
# usage: guarded-origin.py FOLDER PORT
import functools
import http.server
import sys


class Guarded(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        cookies = (self.headers.get("Cookie") or "").split("; ")
        if self.headers.get("Authorization") == "Bearer hosts-token" and "session=hosts-cookie" in cookies:
            return super().do_GET()
        self.send_error(403)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(
    ("127.0.0.1", int(sys.argv[2])), functools.partial(Guarded, directory=sys.argv[1])
).serve_forever()
