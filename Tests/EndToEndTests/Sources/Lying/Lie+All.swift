import Foundation
import Synchronization
import TestSupport

extension Lie {
    /// Lists that never end, or end again and again.
    static let endless: [Lie] = [
        Lie(
            name: "forever",
            fields: "limits: {pages: 5}",
            state: .ended,
            words: "ended at limits.pages (5), and each walk begins with the same items",
            new: 10,
            answer: { _, page in Lie.page([page * 2, page * 2 + 1]) }
        ),
        Lie(
            name: "many",
            fields: "limits: {items: 3}",
            state: .ended,
            words: "ended at limits.items (3), and each walk begins with the same items",
            new: 4,
            answer: { _, page in Lie.page([page * 2, page * 2 + 1]) }
        ),
        Lie(
            name: "cursor",
            fields: "next: '{page: 1}'",
            state: .ended,
            new: 2,
            answer: { _, _ in Lie.page([1, 2]) }
        ),
        Lie(name: "last", state: .ended, new: 9) { _, page in
            Lie.page([min(page, 3) * 3, min(page, 3) * 3 + 1, min(page, 3) * 3 + 2])
        },
        Lie(name: "circle", state: .ended, code: "no_progress", words: "check the recipe's next", new: 4) {
            _,
            page in
            Lie.page(page % 2 == 0 ? [1, 2] : [3, 4])
        },
        // With each page that is asked for, two more items come in front.
        Lie(name: "shifting", state: .ended, new: 30) { _, page in
            let first = 30 + 2 * (page - 1)
            let from = first - 10 * (page - 1)
            return Lie.page((0..<10).map { from - $0 }.filter { $0 > 0 }, hasMore: from > 10)
        },
        Lie(
            name: "crowd",
            fields: "limits: {items: 1000}",
            state: .failed,
            code: "too_large",
            words: "limits.items"
        ) { _, _ in
            Lie.page(1...3000)
        },
    ]

    /// Answers of another kind than the list's, and lists whose keys have other names.
    static let others: [Lie] =
        ["csv", "tsv", "lines", "jsonl", "autoindex", "feed", "sitemap"].map { kind in
            Lie(
                name: "html-\(kind)",
                kind: kind,
                state: .failed,
                code: "unexpected_type",
                words: "check the source's url",
                new: 0
            ) { _, _ in
                // A table may begin with a tag, but not with a document.
                ["csv", "tsv"].contains(kind)
                    ? Lie.text("<!DOCTYPE html>\n<html><body>Log in</body></html>\n", "text/html")
                    : .loginPage
            }
        }
        + ["csv", "tsv", "lines"].map { kind in
            Lie(
                name: "json-\(kind)",
                kind: kind,
                state: .failed,
                code: "unexpected_type",
                words: "but is JSON; check the source's url and kind",
                new: 0
            ) { _, _ in Lie.text(#"{"error":"quota"}"#) }
        } + [
            Lie(
                name: "no-column",
                kind: "csv",
                state: .failed,
                code: "unexpected_shape",
                words: "there is no column url, only id, link; compare the recipe with the page"
            ) { _, _ in Lie.text("id,link\n", "text/csv") },
            Lie(
                name: "renamed",
                fields: "job: {url: .img_src, key: .id}",
                state: .failed,
                code: "unexpected_shape",
                words: "job.url: .img_src isn't there, only id, src; compare the recipe with the page"
            ) { _, _ in Lie.page([1]) },
            Lie(
                name: "reselected",
                fields: "select: '.type == \"image\"'",
                state: .failed,
                code: "unexpected_shape",
                words: "select: no item has what it asks for: .type isn't there"
            ) { _, _ in Lie.page([1]) },
        ]

    /// Answers that are no pages.
    static let wrong: [Lie] = [
        Lie(name: "html", state: .failed, code: "unexpected_type", words: "check the source's url and kind") {
            _,
            _ in
            .loginPage
        },
        Lie(name: "empty", state: .failed, code: "unexpected_type", words: "check") { _, _ in Lie.text("") },
        Lie(name: "torn", state: .failed, code: "unexpected_shape", words: "source try") { _, _ in
            Lie.text("{\"items\": [{\"id\": 1")
        },
        Lie(name: "unchanged", state: .failed, code: "unexpected_status", words: "hasn't changed") { _, _ in
            OriginAnswer(304)
        },
        Lie(name: "teapot", state: .failed, code: "unexpected_status", words: "418; check the source's url") {
            _,
            _ in
            OriginAnswer(418)
        },
        Lie(name: "gone", state: .ended, code: "unexpected_status", words: "facefetch source remove") {
            _,
            _ in
            OriginAnswer(410)
        },
        Lie(name: "busy", state: .waiting, code: "unexpected_status", words: "asked again") { _, _ in
            OriginAnswer(429, [("Retry-After", "7200")])
        },
        Lie(name: "round", state: .waiting, code: "connection", words: "redirect") { _, _ in
            .redirect("/round")
        },
        Lie(
            name: "elsewhere",
            fields: "next: '\"ftp://h/2\"'",
            state: .failed,
            code: "unexpected_shape",
            words: "next:"
        ) {
            _,
            _ in Lie.page([1])
        },
        Lie(name: "surrogate", state: .ended, new: 2) { _, _ in
            Lie.text(
                #"{"items":[{"id":"\ud800","src":"/picture/1.jpg"},{"id":"\udc00x","src":"/picture/2.jpg"}],"has_more":false}"#
            )
        },
        Lie(
            name: "laughs",
            kind: "feed",
            state: .failed,
            code: "unexpected_shape",
            words: "entities"
        ) { _, _ in
            Lie.text(
                "<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><rss><channel>&b;</channel></rss>",
                "text/xml"
            )
        },
    ]

    /// Answers that are too much.
    static func large(_ folder: TemporaryDirectory) throws -> [Lie] {
        let bomb = try Compressed.gzip([UInt8](repeating: 0x20, count: 40 << 20))
        let row = try Compressed.gzip([UInt8](repeating: 0x61, count: 40 << 20))
        let file = try folder.write([], to: "huge")
        truncate(file, 100 << 20)
        return [
            Lie(name: "bomb", state: .failed, code: "too_large", words: "limits.page_bytes") { _, _ in
                OriginAnswer(200, [("Content-Encoding", "gzip")], body: bomb)
            },
            Lie(
                name: "row",
                kind: "csv",
                state: .failed,
                code: "unexpected_shape",
                words: "longer than 1 MiB"
            ) { _, _ in OriginAnswer(200, body: row) },
            Lie(name: "huge", state: .failed, code: "too_large", words: "limits.page_bytes") { _, _ in
                var answer = OriginAnswer(200)
                answer.body = .file(path: file, offset: 0, count: 100 << 20)
                return answer
            },
            Lie(name: "deep", state: .failed, code: "unexpected_shape", words: "source try") { _, _ in
                Lie.text(String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000))
            },
        ]
    }
}
