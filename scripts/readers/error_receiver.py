"""A Bugsink, a receiver of error reports, that writes down what it got.

usage: error_receiver.py prepare DATABASE        makes an empty database, once
       error_receiver.py serve DATABASE FOLDER   serves on a free port, with a copy of that database in FOLDER

FOLDER/dsn is the DSN of its project; it is served from when that is there. After each request FOLDER/events has what
Bugsink has digested, a line of JSON for each event: {issue, event}; FOLDER/bodies all that came, heads and bodies.
"""
import json
import os
import shutil
import sys
import wsgiref.simple_server

command, database = sys.argv[1:3]
folder = sys.argv[3] if command == "serve" else os.path.dirname(database)
if command == "serve":
    shutil.copy(database, folder + "/bugsink.sqlite3")
    database = folder + "/bugsink.sqlite3"

import bugsink.settings.default as settings  # noqa: E402

settings.SECRET_KEY = "this one is for tests, which nobody else can reach"
settings.DATABASES["default"]["NAME"] = database
settings.DATABASES["snappea"]["NAME"] = folder + "/snappea.sqlite3"
settings.SNAPPEA = {"TASK_ALWAYS_EAGER": True}
settings.BUGSINK = {
    "BASE_URL": "http://127.0.0.1",
    "SINGLE_USER": True,
    "SINGLE_TEAM": True,
    "PHONEHOME": False,
    "INGEST_STORE_BASE_DIR": folder + "/ingest",
    "VALIDATE_ON_DIGEST": "strict",
}
settings.ALLOWED_HOSTS = ["127.0.0.1"]
settings.SENTRY_DSN = None
os.environ["DJANGO_SETTINGS_MODULE"] = "bugsink.settings.default"

import django  # noqa: E402

django.setup()

if command == "prepare":
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    sys.exit(0)

from django.core.wsgi import get_wsgi_application  # noqa: E402
from events.models import Event  # noqa: E402
from projects.models import Project  # noqa: E402

project = Project.objects.create(name="facefetch")
application = get_wsgi_application()


def replace(name, text):
    with open(f"{folder}/{name}.new", "w") as file:
        file.write(text)
    os.rename(f"{folder}/{name}.new", f"{folder}/{name}")


def recorded(environ, start_response):
    """Answers as Bugsink does, and writes down what came and what became of it."""
    length = int(environ.get("CONTENT_LENGTH") or 0)
    body = environ["wsgi.input"].read(length)
    environ["wsgi.input"] = __import__("io").BytesIO(body)
    head = "".join(f"{k}: {v}\n" for k, v in sorted(environ.items()) if k.startswith(("HTTP_", "PATH_", "QUERY_")))
    with open(folder + "/bodies", "ab") as file:
        file.write(head.encode() + body)
    statuses = []

    def start(status, headers, *rest):
        statuses.append(status)
        return start_response(status, headers, *rest)

    answer = list(application(environ, start))
    events = Event.objects.order_by("ingested_at")
    lines = [json.dumps({"issue": str(e.issue_id), "event": json.loads(e.data)}) for e in events]
    replace("events", "".join(line + "\n" for line in lines))
    if not statuses[0].startswith("200"):
        sys.stderr.write(f"{statuses[0]}: {answer}\n")
    return answer


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


server = wsgiref.simple_server.make_server("127.0.0.1", 0, recorded, handler_class=Quiet)
replace("dsn", f"http://{project.sentry_key.hex}@127.0.0.1:{server.server_port}/{project.pk}")
server.serve_forever()
