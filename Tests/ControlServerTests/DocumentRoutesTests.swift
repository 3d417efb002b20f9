import ControlAPI
import Digests
import FoundationEssentials
import Glibc
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Documents on the control socket")
struct DocumentRoutesTests {
    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test("the index has the documents, and says so when nothing has changed")
    func index() async throws {
        try await withServer { server in
            try await server.addFiles(2)
            let empty = try await server.send("GET", "/v1/documents/index")
            #expect(empty.status == 200 && empty.body.isEmpty)
            try await server.engine.store(1)
            try await server.engine.look(
                1,
                faces: [Face(x: 1, y: 1, width: 9, height: 9, confidence: 1)],
                picture: SeenPicture(width: 100, height: 200, orientation: 1, format: "jpeg")
            )
            let index = try await server.send("GET", "/v1/documents/index")
            #expect(index.body == [1, 0, 0, 0, 0xF4, 0x01, 1, 1])
            #expect(index.fields["content-type"] == "application/octet-stream")
            let tag = try #require(index.fields["etag"])
            #expect(tag != empty.fields["etag"])
            let again = try await server.send(
                "GET",
                "/v1/documents/index",
                fields: ["If-None-Match": "\"other\", W/\(tag)"]
            )
            #expect(again.status == 304 && again.body.isEmpty && again.fields["etag"] == tag)
            #expect(try await server.send("GET", "/v1/documents/index?faces_min=2").body.isEmpty)
            #expect(try await server.send("GET", "/v1/documents/index?match=1.JPG").body.count == 8)
            #expect(try await server.send("GET", "/v1/documents/index?q=zebra").body.isEmpty)
            #expect(try await server.send("GET", "/v1/documents/index?source=nasa").body.isEmpty)
            #expect(try await server.send("GET", "/v1/documents/index?meta.licence=CC0").body.isEmpty)
            #expect(try await server.send("GET", "/v1/documents/index?batch=1&ids=1,2").body.count == 8)
            let timed = try await server.send("GET", "/v1/documents/index?times=true")
            #expect(timed.body.count == 12 && Array(timed.body.prefix(8)) == index.body)
            #expect(timed.fields["etag"] != tag)
            #expect(try await server.send("GET", "/v1/documents/index?times=1").status == 400)
            #expect(try await server.send("GET", "/v1/documents/index?order=best").status == 400)
            #expect(try await server.send("GET", "/v1/documents/index?faces_min=-1").status == 400)
            #expect(try await server.send("GET", "/v1/documents/index?limit=0").status == 400)
            #expect(try await server.send("GET", "/v1/documents/index?limit=1001").status == 400)
            try await server.engine.store(2)
            let first = try await server.send("GET", "/v1/documents/index?limit=1")
            #expect(first.body == [2, 0, 0, 0, 0, 0, 0, 0])
            let oldest = try await server.send("GET", "/v1/documents/index?limit=1&order=oldest")
            #expect(oldest.body == index.body)
        }
    }

    @Test("a document comes as it is, to be saved, and never to be shown")
    func document() async throws {
        try await withTemporaryDirectory { directory in
            let bytes = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let path = directory + "/1.jpg"
            try write(bytes, to: path)
            try await withServer { server in
                try await server.addFiles(1)
                #expect(try await server.send("GET", "/v1/jobs/1/document").status == 409)
                #expect(try await server.send("GET", "/v1/jobs/2/document").status == 404)
                try await server.engine.store(1, bytes: Int64(bytes.count), at: path)
                let answer = try await server.send("GET", "/v1/jobs/1/document")
                #expect(answer.status == 200 && answer.body == bytes)
                #expect(answer.fields["content-length"] == "\(bytes.count)")
                #expect(answer.fields["content-type"] == "application/octet-stream")
                #expect(answer.fields["content-disposition"] == "attachment; filename=\"1.jpg\"")
                #expect(answer.fields["content-security-policy"] == "default-src 'none'; sandbox")
                #expect(answer.fields["x-content-type-options"] == "nosniff")
                let head = try await server.send("HEAD", "/v1/jobs/1/document")
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head.fields["content-length"] == "\(bytes.count)")
            }
        }
    }

    @Test("what only stands in a document's place is not handed out")
    func replaced() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/1.jpg"
            try write([1, 2, 3], to: directory + "/secret")
            try await withServer { server in
                try await server.addFiles(1)
                try await server.engine.store(1, at: path)
                let gone = try await server.send("GET", "/v1/jobs/1/document")
                #expect(gone.status == 410)
                #expect(try gone.decoded(as: ProblemJSON.self).code == "document_gone")
                #expect(symlink(directory + "/secret", path) == 0)
                #expect(try await server.send("GET", "/v1/jobs/1/document").status == 410)
                unlink(path)
                #expect(mkfifo(path, 0o600) == 0)
                #expect(try await server.send("GET", "/v1/jobs/1/document").status == 410)
            }
        }
    }

    @Test("another file in a document's place is not handed out, and the same bytes in another file are")
    func changed() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/1.jpg"
            let bytes = [UInt8](repeating: 7, count: 300_000)
            try write(bytes, to: path)
            try await withServer { server in
                try await server.addFiles(1)
                let sha256 = SHA256.hash(data: bytes).hexText
                try await server.engine.store(1, at: path, sha256: sha256)
                for target in ["document", "picture/thumb"] {
                    // Copied, and given the same name: its content tells that it is the document.
                    try write(bytes, to: path + ".new")
                    #expect(rename(path + ".new", path) == 0)
                    for _ in 1...2 {
                        #expect(try await server.send("GET", "/v1/jobs/1/\(target)").status != 410)
                    }
                    for count in [300_000, 1] {
                        try write([UInt8](repeating: 8, count: count), to: path + ".new")
                        #expect(rename(path + ".new", path) == 0)
                        let gone = try await server.send("GET", "/v1/jobs/1/\(target)")
                        let problem = try gone.decoded(as: ProblemJSON.self)
                        #expect(gone.status == 410 && problem.code == "document_gone")
                        #expect(problem.detail.contains("was changed since it was stored"))
                    }
                }
            }
        }
    }

    @Test("a document isn't looked for where a link leads that has its folder's place")
    func linkedFolder() async throws {
        try await withTemporaryDirectory { directory in
            for folder in ["", "/x", "/x/y", "/secrets", "/secrets/y"] { mkdir(directory + folder, 0o755) }
            for folder in ["x/y", "secrets/y"] { try write([1, 2, 3], to: "\(directory)/\(folder)/1.jpg") }
            try await withServer { server in
                let body = #"{"items":[{"url":"https://example.org/1.jpg","folder":"x/y"}]}"#
                #expect(try await server.send("POST", "/v1/batches", body).status == 201)
                let sha256 = SHA256.hash(data: [UInt8]([1, 2, 3])).hexText
                try await server.engine.store(1, at: directory + "/x/y/1.jpg", sha256: sha256)
                #expect(try await server.send("GET", "/v1/jobs/1/document").body == [1, 2, 3])
                // The very same file, under a folder that a link leads to.
                #expect(rename(directory + "/x", directory + "/z") == 0)
                for target in ["z", "secrets"] {
                    #expect(symlink(directory + "/" + target, directory + "/x") == 0)
                    #expect(try await server.send("GET", "/v1/jobs/1/document").status == 410)
                    #expect(unlink(directory + "/x") == 0)
                }
            }
        }
    }

    @Test(
        "a name goes into the head in both ways that there are, whatever is in it",
        arguments: [
            ("a.jpg", "attachment; filename=\"a.jpg\""),
            ("b \"c\".jpg", "attachment; filename=\"b _c_.jpg\"; filename*=UTF-8''b%20%22c%22.jpg"),
            (
                "=?UTF-8?Q?a?=",
                "attachment; filename=\"=?UTF-8?Q?a?=\"; filename*=UTF-8''%3D%3FUTF-8%3FQ%3Fa%3F%3D"
            ),
            ("é\r\n.jpg", "attachment; filename=\"___.jpg\"; filename*=UTF-8''%C3%A9%0D%0A.jpg"),
        ]
    )
    func names(name: String, field: String) { #expect(Attachment.disposition(name) == field) }

    @Test(
        "entity tags are read as HTTP has them",
        arguments: [
            ("\"a\"", true), ("*", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("\"b\"", false),
        ]
    )
    func tags(field: String, has: Bool) throws {
        #expect(try #require(EntityTags(field)).have("\"a\"") == has)
    }

    @Test(
        "what is no entity tag is refused",
        arguments: ["a", "", "\"a", "\"a\" \"b\"", "\"a\",", "\"a\u{1}\""]
    )
    func noTags(field: String) { #expect(EntityTags(field) == nil) }

    @Test("the status says who may change things")
    func mayChange() async throws {
        try await withServer { server in
            let status: StatusJSON = try await server.send("GET", "/v1/status").decoded()
            #expect(status.mayChange == true)
        }
    }
}
