import ControlAPI
import EngineSupport
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Hosts")
struct HostRoutesTests {
    @Test("Hosts with unfinished downloads are listed by name, page by page")
    func list() async throws {
        try await withServer { server in
            let empty = try await server.send("GET", "/v1/hosts").decoded(as: PageJSON<HostJSON>.self)
            #expect(empty == PageJSON(items: [], total: 0, hasMore: false, next: nil))
            let items = ["http://b.example/1.jpg", "http://b.example/2.jpg", "https://a.example/1.jpg"]
                .map { "{\"url\":\"\($0)\"}" }.joined(separator: ",")
            _ = try await server.send("POST", "/v1/batches", "{\"items\":[\(items)]}")
            try await server.engine.settle()
            let page = try await server.send("GET", "/v1/hosts").decoded(as: PageJSON<HostJSON>.self)
            #expect(page.items.map(\.host) == ["a.example:443", "b.example:80"] && page.total == 2)
            #expect(page.items.map(\.active).reduce(0, +) == 1)
            #expect(page.items.map(\.queued).reduce(0, +) == 2)
            let first = try await server.send("GET", "/v1/hosts?limit=1").decoded(as: PageJSON<HostJSON>.self)
            #expect(first.items == [page.items[0]] && first.hasMore && first.next == "a.example:443")
            let second = try await server.send("GET", "/v1/hosts?limit=1&after=a.example:443")
                .decoded(as: PageJSON<HostJSON>.self)
            #expect(second.items == [page.items[1]] && !second.hasMore && second.next == nil)
        }
    }

    @Test("A page that can't be one is refused", arguments: ["limit=0", "after=", "batch=1", "limit=x"])
    func refused(query: String) async throws {
        try await withServer { server in
            let refused = try await server.send("GET", "/v1/hosts?\(query)")
            #expect(refused.status == 400)
        }
    }

    @Test("What a host waits for, and its pace, are said")
    func waiting() {
        let until = Moment(microseconds: 1_795_243_503_000_000)
        let hosts = [
            HostStatus(
                host: "b:443",
                active: 0,
                queued: 5,
                waiting: .init(reason: "b asked to wait", until: until),
                pace: Pace(requests: 60, per: 60),
                streams: 17
            ), HostStatus(host: "a:80", active: 1, queued: 0, waiting: .init(reason: "c", until: nil)),
        ]
        let page = HostPage.page(hosts.reversed(), after: nil, limit: 10)
        #expect(
            page.items == [
                HostJSON(
                    host: "a:80",
                    active: 1,
                    queued: 0,
                    waiting: .init(kind: .known(.asked), reason: "c")
                ),
                HostJSON(
                    host: "b:443",
                    active: 0,
                    queued: 5,
                    waiting: .init(
                        kind: .known(.asked),
                        reason: "b asked to wait",
                        until: until.wall.rfc3339
                    ),
                    pace: "60/min",
                    streams: 17
                ),
            ]
        )
    }

    @Test("The wait of a host is ended by name; a host that nobody waits for, and none, are refused")
    func release() async throws {
        try await withServer { server in
            _ = try await server.send("POST", "/v1/batches", #"{"items":[{"url":"http://b.example/1.jpg"}]}"#)
            try await server.engine.settle()
            let answer = try await server.send("POST", "/v1/hosts/release?host=b.example:80")
            #expect(answer.status == 200)
            #expect(try answer.decoded(as: HostJSON.self).host == "b.example:80")
            #expect(try await server.send("POST", "/v1/hosts/release?host=c.example:80").status == 404)
            #expect(try await server.send("POST", "/v1/hosts/release").status == 400)
        }
    }
}
