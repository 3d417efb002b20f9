import SourceCore

@testable import Children

/// A trial of what a lister answers to a request: a frame on each line, the letter of its kind and its JSON.
///
/// The first byte says of how many rows were asked for.
enum ListerAnswerTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let first = bytes.first else { return nil }
        var program = ListerProgram(kind: first & 1 == 0 ? "json" : "lines")
        program.maximumItems = 3
        var request = ListerRequest(id: 7, path: "/page", url: "https://example.org/list")
        if first & 1 == 1 {
            request.rows = ListerRequest.Rows(bytes: 10, line: 2, most: 1 + Int(first >> 1) % 4)
        }
        var parts = AnswerInParts(to: request, program: program)
        for line in bytes.dropFirst().split(separator: 0x0A) {
            guard let letter = line.first, let kind = ListerFrame.Kind(rawValue: letter) else { return nil }
            let frame = ListerFrame(kind, id: 7, body: Array(line.dropFirst()))
            let answer: Result<ListerAnswer, ListerFailure>?
            do throws(Misbehaviour) { answer = try parts.receive(frame) } catch {
                try promise(!error.description.isEmpty, "there is no reason")
                return nil
            }
            switch answer {
            case nil: try promise([.items, .children].contains(kind), "an answer goes on behind its end")
            case .success(let answer):
                try check(answer, to: request, program)
                return answer.items.first?.url ?? answer.page.badItems.first?.message
            case .failure(let failure):
                try check(failure)
                return failure.message
            }
        }
        return nil
    }

    private static func check(
        _ answer: ListerAnswer,
        to request: ListerRequest,
        _ program: ListerProgram
    ) throws(BrokenPromise) {
        let (items, page) = (answer.items, answer.page)
        let most = max(program.maximumItems, request.rows.most == .max ? 0 : request.rows.most)
        try promise(items.count <= most, "\(items.count) items are more than \(most)")
        try promise(items.count + page.bad <= page.listed, "there are more items than were listed")
        for item in items {
            for text in [item.url, item.key ?? "", item.name ?? "", item.changed ?? ""] {
                try promise(text.utf8.count <= ListedItem.longestText, "a text of an item is too long")
            }
            try promise(item.meta?.utf8.count ?? 0 <= ListedItem.longestMeta, "too much is kept with an item")
        }
        try promise(page.badItems.count <= ListedPage.mostNamed, "too many bad items are named")
        for item in page.badItems {
            try promise(
                item.number >= 0 && item.message.utf8.count <= 2000,
                "more is kept of a bad item than it takes to find it"
            )
        }
        // Such numbers are added up over all pages of a source.
        for number in [page.total ?? 0, page.ttl ?? 0, page.listed] {
            try promise((0...1 << 53).contains(number), "\(number) of something")
        }
        if case .rows(let next)? = page.next {
            try promise(next.bytes > request.rows.bytes, "a list goes on where it was")
            try promise(next.place?.isPossible(before: next.bytes) ?? true, "a list goes on at no place")
        }
    }

    private static func check(_ failure: ListerFailure) throws(BrokenPromise) {
        try promise(failure.message.utf8.count <= 1000, "a reason has \(failure.message.utf8.count) bytes")
        try promise(
            failure.excerpt?.utf8.count ?? 0 <= 4 * ListerFailure.longestExcerpt,
            "too much of a page is quoted"
        )
        for word in [failure.bucketCode ?? "", failure.region ?? ""] {
            try promise(word.utf8.count <= 100, "a word of \(word.utf8.count) bytes")
        }
    }
}
