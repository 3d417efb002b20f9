import Foundation
import Synchronization

/// The ended jobs that a scripted daemon knows, and its answers about them.
final class EndedList: Sendable {
    /// A job that has come to something.
    struct Item: Sendable {
        var ended: Int64
        var ending: String
        var json: String
    }

    private let items: Mutex<[Item]>
    /// Everything up to this number may have been forgotten.
    private let oldest: Mutex<Int64>
    /// The status and the paths of what can't be answered now.
    private let trouble = Mutex<(status: Int, paths: [String])?>(nil)
    /// The most items of a page, whatever is asked.
    let page: Int

    init(_ items: [Item], oldest: Int64 = 0, page: Int = 1000) {
        self.items = Mutex(items)
        self.oldest = Mutex(oldest)
        self.page = page
    }

    /// Everything up to this number is forgotten.
    func forget(through number: Int64) {
        items.withLock { $0.removeAll { $0.ended <= number } }
        oldest.withLock { $0 = number }
    }

    /// Requests for these paths are answered with a problem of the daemon's, until it has none.
    func fails(_ status: Int, for paths: [String] = []) {
        trouble.withLock { $0 = paths.isEmpty ? nil : (status, paths) }
    }

    /// One more job has come to something.
    func add(_ item: Item) { items.withLock { $0.append(item) } }

    /// A daemon that answers for it, and whose events say nothing.
    func daemon() throws -> ScriptedDaemon {
        try ScriptedDaemon { [self] request in
            if let trouble = trouble.withLock(\.self), trouble.paths.contains(request.path) {
                return .problem(trouble.status, "insufficient_storage", "there is no room")
            }
            return request.path == "/v1/events" ? .events([": hello\n\n"], then: .staysOpen) : reply(request)
        }
    }

    /// A page of `/v1/jobs?ended_after=`.
    func reply(_ request: ScriptedDaemon.Request) -> ScriptedDaemon.Reply {
        if let text = request.query["q"], request.query["ended_after"] == nil { return found(text) }
        guard let after = request.query["ended_after"].flatMap({ Int64($0) }) else {
            return .problem(400, "invalid_parameter", "ended_after is missing")
        }
        let endings = request.query["ending"]?.split(separator: ",").map(String.init) ?? []
        let all = items.withLock { $0 }.sorted { $0.ended < $1.ended }
        let behind = all.filter { $0.ended > after && endings.contains($0.ending) }
        let shown = behind.prefix(min(page, Int(request.query["limit"] ?? "") ?? 100))
        let oldest = oldest.withLock { $0 }
        let next = behind.count > shown.count ? shown.last.map { "\"\($0.ended)\"" } : nil
        let text = """
            {"has_more":\(behind.count > shown.count),"items":[\(shown.map(\.json).joined(separator: ","))],\
            "newest":\(max(oldest, all.last?.ended ?? 0)),"next":\(next ?? "null"),\
            "oldest":\(oldest),"total":\(behind.count)}
            """
        return .whole(status: 200, type: "application/json", body: Data(text.utf8))
    }

    /// The jobs with this text in them, as `/v1/jobs?q=` has them.
    private func found(_ text: String) -> ScriptedDaemon.Reply {
        let found = items.withLock { $0 }.map(\.json).filter { $0.contains(text) }
        let page =
            #"{"has_more":false,"items":[\#(found.joined(separator: ","))],"next":null,"total":\#(found.count)}"#
        return .whole(status: 200, type: "application/json", body: Data(page.utf8))
    }

    /// A counted picture; its faces are boxes of x, y, width and height.
    static func picture(
        _ ended: Int64,
        job: Int64? = nil,
        name: String = "a.jpg",
        path: String? = nil,
        bytes: Int = 0,
        faces: [[Int]] = [[10, 20, 30, 40]],
        size: (Int, Int)? = (400, 300),
        orientation: Int = 1,
        meta: String = "null",
        folder: String? = nil,
        sha256: String? = nil
    ) -> Item {
        let boxes = faces.map {
            #"{"confidence":0.9,"height":\#($0[3]),"width":\#($0[2]),"x":\#($0[0]),"y":\#($0[1])}"#
        }
        let quoted = { (text: String) in
            String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
        }
        let number = { (value: Int?) in value.map { "\($0)" } ?? "null" }
        let json = """
            {"batch":1,"bytes":\(bytes),"created_at":"2026-11-21T06:45:03.611Z","detection":{"engine":"yunet",\
            "face_count":\(faces.count),"faces":[\(boxes.joined(separator: ","))],"format":"jpeg",\
            "height":\(number(size?.1)),"orientation":\(orientation),"outcome":"counted","parameters":"",\
            "seconds":0.1,"shared_from":null,"width":\(number(size?.0))},"ended":\(ended),"ending":"done",\
            "error":null,"finished_at":null,"folder":\(folder.map(quoted) ?? "null"),"id":\(job ?? ended),"item_key":null,"meta":\(meta),\
            "name":\(quoted(name)),"path":\(quoted(path ?? "/nowhere/\(name)")),"sha256":\(sha256.map(quoted) ?? "null"),"source":null,\
            "state":"done","url":"https://h/\(ended)"}
            """
        return Item(ended: ended, ending: "done", json: json)
    }

    /// A job that failed.
    static func failed(_ ended: Int64) -> Item {
        let json = """
            {"batch":1,"bytes":0,"created_at":"2026-11-21T06:45:03.611Z","detection":null,"ended":\(ended),\
            "ending":"failed","error":{"code":"http_404","message":"gone"},"id":\(ended),"name":"b.jpg",\
            "path":null,"sha256":null,"state":"failed","url":"https://h/b"}
            """
        return Item(ended: ended, ending: "failed", json: json)
    }
}
