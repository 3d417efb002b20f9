"""A bucket as strict servers have it, for tests of uploads.

Every request must be signed as botocore signs it (Signature Version 4), with the SHA-256 of its body, which is
checked. Objects are made by PUT, and by multipart uploads; `If-None-Match: *` is honoured.

GET /-/objects says what is there: SHA-256 and length by key, multipart uploads that are open, requests by method,
and why requests were refused. POST /-/faults takes a list of faults, each used up by the next request of its method
(and of its step, such as "partNumber"): {"method": "PUT", "status": 503, "code": "SlowDown"}; with "status": 0 the
connection breaks off.
"""

import hashlib
import http.server
import json
import os
import secrets
import sys
import threading
import urllib.parse
import xml.etree.ElementTree

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

ID, SECRET, REGION = "AKIDEXAMPLE", "s3cr/et+", "eu-central-1"
lock = threading.Lock()
objects, uploads, faults, seen = {}, {}, [], {"requests": {}, "refusals": []}


class Refusal(Exception):
    def __init__(self, status, code, detail=""):
        self.status, self.code, self.detail = status, code, detail


class Auth(S3SigV4Auth):
    """Signs with the time that the request has."""

    def signed(self, request, date):
        request.context["timestamp"] = date
        self.timestamp = date
        canonical = self.canonical_request(request)
        return self.signature(self.string_to_sign(request, canonical), request)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do(self):
        length = int(self.headers.get("content-length") or 0)
        digest, kept = hashlib.sha256(), []
        left = length
        while left:
            part = self.rfile.read(min(left, 1 << 20))
            if not part:
                return
            digest.update(part)
            if length <= 1 << 20:
                kept.append(part)
            left -= len(part)
        self.sha256, self.length, self.body = digest.hexdigest(), length, b"".join(kept)
        path, _, query = self.path.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        if path.startswith("/-/"):
            return self.control(path)
        try:
            with lock:
                seen["requests"][self.command] = seen["requests"].get(self.command, 0) + 1
                self.break_off()
            self.check(path)
            with lock:
                status, headers, body = self.answer(urllib.parse.unquote(path))
        except Refusal as refusal:
            status, headers = refusal.status, {}
            if status == 0:
                self.close_connection = True
                return
            body = f"<?xml version='1.0'?>\n<Error><Code>{refusal.code}</Code><Region>{REGION}</Region></Error>"
            if refusal.detail:
                seen["refusals"].append(f"{self.command} {self.path}: {refusal.code}: {refusal.detail}")
        self.reply(status, body, headers)

    do_PUT = do_POST = do_DELETE = do_GET = do

    def reply(self, status, body, headers={}):
        body = body.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 204:
            self.wfile.write(body)

    def control(self, path):
        with lock:
            if path == "/-/faults":
                faults[:] = json.loads(self.body)
            shown = {**seen, "objects": objects, "uploads": list(uploads), "faults": faults}
            self.reply(200, json.dumps(shown))

    def break_off(self):
        for fault in faults:
            if fault["method"] == self.command and fault.get("step", "") in (self.query or {"": ""}):
                faults.remove(fault)
                raise Refusal(fault["status"], fault.get("code", ""))

    def check(self, path):
        field = self.headers.get("authorization") or ""
        parts = dict(p.strip().split("=", 1) for p in field.partition(" ")[2].split(",") if "=" in p)
        if not field.startswith("AWS4-HMAC-SHA256 ") or len(parts) != 3:
            raise Refusal(403, "AccessDenied", "not signed")
        scope = parts["Credential"].split("/")
        if scope[0] != ID:
            raise Refusal(403, "InvalidAccessKeyId")
        if scope[2:] != [REGION, "s3", "aws4_request"]:
            raise Refusal(400, "AuthorizationHeaderMalformed")
        names = parts["SignedHeaders"].split(";")
        sent = {name.lower() for name in self.headers if name.lower().startswith("x-amz-")}
        for name in sent | {"host", "x-amz-date", "x-amz-content-sha256"}:
            if name not in names:
                raise Refusal(403, "AccessDenied", f"{name} is not signed")
        if self.headers["x-amz-content-sha256"] != self.sha256:
            raise Refusal(400, "XAmzContentSHA256Mismatch", self.headers["x-amz-content-sha256"])
        url = f"http://{self.headers['host']}{self.path}"
        request = AWSRequest(self.command, url, headers={name: self.headers[name] for name in names})
        auth = Auth(Credentials(ID, SECRET), "s3", REGION)
        if auth.signed(request, self.headers["x-amz-date"]) != parts["Signature"]:
            raise Refusal(403, "SignatureDoesNotMatch", auth.canonical_request(request))

    def answer(self, path):
        bucket, _, key = path[1:].partition("/")
        if bucket != "pictures":
            raise Refusal(404, "NoSuchBucket")
        upload = self.query.get("uploadId")
        if upload is not None and upload not in uploads:
            raise Refusal(404, "NoSuchUpload", upload)
        is_new = key not in objects
        if self.command == "DELETE" and upload:
            del uploads[upload]
            return 204, {}, ""
        if self.command == "POST" and "uploads" in self.query:
            # With what an identifier may have.
            upload = secrets.token_urlsafe(9) + "&<=/+"
            uploads[upload] = {}
            text = upload.replace("&", "&amp;").replace("<", "&lt;")
            return 200, {}, f"<InitiateMultipartUploadResult><UploadId>{text}</UploadId></InitiateMultipartUploadResult>"
        if self.command == "PUT" and upload:
            tag = f'"{self.sha256[:32]}"'
            uploads[upload][int(self.query["partNumber"])] = (tag, self.length)
            return 200, {"ETag": tag}, ""
        if self.command == "POST" and upload:
            return self.complete(key, upload, is_new)
        if self.command != "PUT":
            raise Refusal(405, "MethodNotAllowed", self.command)
        if self.headers.get("if-none-match") == "*" and not is_new:
            raise Refusal(412, "PreconditionFailed")
        objects[key] = {"sha256": self.sha256, "length": self.length}
        return 200, {"ETag": f'"{self.sha256[:32]}"'}, ""

    def complete(self, key, upload, is_new):
        space = "{http://s3.amazonaws.com/doc/2006-03-01/}"
        parts = [
            (int(part.find(space + "PartNumber").text), part.find(space + "ETag").text)
            for part in xml.etree.ElementTree.fromstring(self.body).findall(space + "Part")
        ]
        there = sorted((number, tag) for number, (tag, _) in uploads[upload].items())
        if parts != there:
            raise Refusal(400, "InvalidPart", f"{parts} {there}")
        if self.headers.get("if-none-match") == "*" and not is_new:
            raise Refusal(412, "PreconditionFailed")
        objects[key] = {"sha256": None, "length": sum(length for _, length in uploads[upload].values())}
        del uploads[upload]
        return 200, {}, "<CompleteMultipartUploadResult/>"


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


if __name__ == "__main__":
    # Where to listen, and the file that gets the port.
    address, place = sys.argv[1:]
    server = Server((address, 0), Handler)
    with open(place + ".part", "w") as file:
        file.write(str(server.server_port))
    os.rename(place + ".part", place)
    server.serve_forever()
