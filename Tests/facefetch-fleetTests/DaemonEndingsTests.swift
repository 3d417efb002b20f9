import ControlAPI
import ExportFormats
import FleetCore
import Testing

@testable import facefetch_fleet

@Suite("Endings as a daemon lists them")
struct DaemonEndingsTests {
    private let failed = """
        {"id":4,"batch":1,"bytes":0,"ended":7,"ending":"failed","meta":{"fleet":"f1 12 3"},"name":"a",\
        "path":null,"error":{"code":"not_found","message":"\\"no\\"","retryable":false},\
        "detection":null,"response":null,"state":"failed","url":"http://a.example/"}
        """
    private let done = """
        {"id":5,"batch":1,"bytes":25,"ended":8,"ending":"done","meta":{"album":"x","fleet":"f1 13 3"},\
        "name":"b \\"c\\".jpg",\
        "folder":"x/y","path":"/d/x/y/b","sha256":"abc","error":null,\
        "detection":{"outcome":"counted","face_count":2,"faces":[{"x":1.50}],"engine":"yunet"},\
        "response":{"status":200,"etag":null},"state":"done","url":"http://a.example/b"}
        """
    private let strangers = [
        "{\"id\":6,\"ended\":9,\"ending\":\"done\"}", "{\"id\":7,\"ended\":11,\"meta\":{\"fleet\":5}}",
    ]

    private func page(_ items: [String], _ more: String = "") throws -> DaemonClient.Endings {
        let text = "{\"items\":[\(items.joined(separator: ","))],\"has_more\":true\(more)}"
        return try DaemonClient.endings(of: ExportedPage(Array(text.utf8)), after: 3)
    }

    @Test("What is recorded of a job is what the daemon wrote, digit by digit; strangers' jobs only count")
    func reads() throws {
        let page = try page([failed, done] + strangers, #","oldest":2,"newest":20"#)
        #expect(page.endings.map(\.number) == [7, 8])
        #expect(page.last == 11 && page.newest == 20 && page.oldest == 2 && page.hasMore)
        let (first, second) = (page.endings[0].ending, page.endings[1].ending)
        #expect(
            first.job == FleetJob(fleet: "f1", job: 12, token: 3) && first.local == 4
                && first.state == .failed
        )
        #expect(first.error == #"{"code":"not_found","message":"\"no\"","retryable":false}"#)
        #expect(first.code == "not_found" && first.facts == nil && first.path == nil)
        #expect(
            second.job == FleetJob(fleet: "f1", job: 13, token: 3) && second.state == .done
                && second.bytes == 25
        )
        #expect(second.outcome == "counted" && second.faces == 2 && second.error == nil)
        #expect(
            second.detection
                == #"{"outcome":"counted","face_count":2,"faces":[{"x":1.50}],"engine":"yunet"}"#
        )
        #expect(
            second.facts
                == #"{"name":"b \"c\".jpg","folder":"x/y","response":{"status":200,"etag":null}}"#
        )
    }

    @Test("A page without endings, of a daemon that doesn't say what it has forgotten, moves nothing")
    func empty() throws {
        let page = try page([])
        #expect(page.endings.isEmpty && page.last == 3 && page.newest == 3 && page.oldest == nil)
    }
}
