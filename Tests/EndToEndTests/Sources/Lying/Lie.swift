import ControlAPI
import Foundation
import TestSupport
import Vocabulary

/// A way in which servers of lists lie or break, and what becomes of its source.
struct Lie: Sendable {
    /// The source's name, and its path on the server.
    let name: String
    /// The kind of its pages, and the recipe's fields that others than JSON have.
    var kind = "json"
    /// Fields of its recipe that are others than those of an honest list, a line each.
    var fields = ""
    /// The state that the source ends in.
    let state: SourceCondition
    /// The code of its error; nil for none.
    var code: String?
    /// Words that `source list` has for it.
    var words = ""
    /// The number of items that became jobs; nil if that isn't the matter.
    var new: Int?
    /// The answer to the request for a page, by the page's number.
    let answer: @Sendable (OriginRequest, Int) -> OriginAnswer

    /// The recipe, at a server.
    func recipe(_ origin: Origin) -> String {
        var lines = [
            "name: \(name)", "kind: \(kind)", "url: \(origin.url("/\(name)"))?page=1", "every: never",
        ]
        if kind == "json" {
            let own = fields.split(separator: "\n").map { $0.prefix { $0 != ":" } }
            lines += [
                "items: .items[]", "job: {url: .src, key: .id}", "next: '{page: ($page + 1)}'",
                "more: .has_more",
            ].filter { line in !own.contains { line.hasPrefix("\($0):") } }
        }
        return (lines + [fields]).joined(separator: "\n") + "\n"
    }

    /// A page of items that says that there are more.
    static func page(_ ids: some Sequence<Int>, hasMore: Bool = true) -> OriginAnswer {
        ListOrigin.json([
            "items": ids.map { ["id": $0, "src": "/picture/\($0).jpg"] as [String: Any] },
            "has_more": hasMore,
        ])
    }

    static func text(_ text: String, _ type: String = "application/json") -> OriginAnswer {
        OriginAnswer(200, [("Content-Type", type)], body: Array(text.utf8))
    }
}
