"""A receiver of webhooks that does what a test tells it to, and writes down what it got.

usage: receiver.py LOG ANSWER...     answers in order, the last for ever: a status, 429/SECONDS (with
                                     Retry-After), 302/URL (with Location), 200/LIMITS or 429/LIMITS (with
                                     X-Sentry-Rate-Limits, where there is a colon in it), hang, or
                                     STATUS/endless or STATUS/endless/SECONDS (with a body that never ends, as fast
                                     as it goes, or a byte in so many seconds)

Its port goes into LOG.port. A line of JSON in LOG for each request: {id, timestamp, signature, type, events, verified,
cloudevents}; `verified` is what standardwebhooks says with the secret in SECRET, where there is one, and
`cloudevents` how many events the CloudEvents SDK reads, where it is installed. For an envelope of Sentry's it is
{type, path, authorization, body}.
"""
import http.server
import json
import os
import sys
import time

log, answers = sys.argv[1], sys.argv[2:]


def verified(body, headers):
    secret = os.environ.get("SECRET")
    if not secret:
        return None
    from standardwebhooks.webhooks import Webhook

    try:
        Webhook(secret).verify(body, dict(headers))
        return True
    except Exception as error:
        return repr(error)


def cloudevents(body):
    if not os.environ.get("SECRET"):
        return None
    from cloudevents.core.bindings.http import HTTPMessage, from_http_event
    from cloudevents.core.formats.json import JSONFormat

    count = 0
    for event in json.loads(body):
        message = HTTPMessage({"content-type": "application/cloudevents+json"}, json.dumps(event).encode())
        read = from_http_event(message, JSONFormat())
        count += read.get_type().startswith("facefetch.") and read.get_specversion() == "1.0"
    return count


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        line = {"type": self.headers["Content-Type"], "answer": answer}
        if line["type"] == "application/x-sentry-envelope":
            line |= {"path": self.path, "authorization": self.headers["X-Sentry-Auth"], "body": body.decode()}
        else:
            line |= self.events(body)
        with open(log, "a") as file:
            file.write(json.dumps(line) + "\n")
        if answer == "hang":
            time.sleep(1000)
        status, _, more = answer.partition("/")
        self.send_response(int(status))
        if more.startswith("endless"):
            self.pour(float(more.partition("/")[2] or 0))
            return
        if status == "302":
            self.send_header("Location", more)
        elif ":" in more:
            self.send_header("X-Sentry-Rate-Limits", more)
        elif more:
            self.send_header("Retry-After", more)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def pour(self, pause):
        """Sends a body without an end, until nobody takes it any more."""
        self.close_connection = True
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"x" if pause else b"x" * 65536)
                time.sleep(pause)
        except OSError:
            pass

    def events(self, body):
        return {
            "id": self.headers["webhook-id"],
            "timestamp": self.headers["webhook-timestamp"],
            "signature": self.headers["webhook-signature"],
            "events": [[e["id"], e["type"], e["data"].get("id")] for e in json.loads(body)],
            "verified": verified(body, self.headers),
            "cloudevents": cloudevents(body),
        }

    do_GET = do_POST

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 0))), Receiver)
with open(log + ".port.new", "w") as file:
    file.write(str(server.server_port))
os.rename(log + ".port.new", log + ".port")
server.serve_forever()
