"""A server of pictures."""

import http.server
import socketserver
import threading
import time


class Origin(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; below /slow/ a little at a time, below /slower/ less, and below /slowest/ for longer than any test takes.

    Below /busy/ whoever asks for something for the first time is to come back in an hour."""

    # Bytes every third of a second.
    PACES = {"/slow/": 4096, "/slower/": 1024, "/slowest/": 512}
    met = set()

    def __init__(self, *arguments, **words):
        super().__init__(*arguments, directory=self.server_folder, **words)

    def log_message(self, *arguments):
        pass

    def translate_path(self, path):
        for folder in (*self.PACES, "/busy/"):
            path = path.replace(folder, "/")
        return super().translate_path(path)

    def do_GET(self):
        if "/busy/" not in self.path or self.path in self.met:
            return super().do_GET()
        self.met.add(self.path)
        self.send_response(429)
        self.send_header("Retry-After", "3600")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def copyfile(self, source, output):
        pace = next((pace for folder, pace in self.PACES.items() if folder in self.path), None)
        if not pace:
            return super().copyfile(source, output)
        try:
            while piece := source.read(pace):
                output.write(piece)
                time.sleep(0.3)
        except OSError:
            # A download that is paused or cancelled.
            self.close_connection = True


def serve(folder):
    """Serves a folder on a thread of its own."""
    handler = type("Handler", (Origin,), {"server_folder": str(folder)})
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
