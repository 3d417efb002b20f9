import Glibc
import SourceCore
import Synchronization

@testable import SourceReading

/// A page of a source; its first byte says of which kind.
enum PageTrial {
    private static let kinds = [
        "json", "jsonl", "csv", "tsv", "lines", "feed", "sitemap", "s3", "autoindex", "xml",
    ]
    /// Compiling takes 20 ms.
    private static let programs = Mutex<[String: PageProgram]>([:])

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let first = bytes.first else { return nil }
        let kind = first >= 0xE0 ? "xml" : kinds[Int(first) % kinds.count]
        let page = Array(bytes.dropFirst())
        let whole = try items(kind, page, most: .max)
        guard ["jsonl", "csv", "tsv", "lines"].contains(kind) else { return whole.first?.url }
        let pieces = try items(kind, page, most: 1 + Int(first) / kinds.count % 3)
        try promise(whole == pieces, "a list in pieces has other items")
        return whole.first?.url
    }

    /// The items of a page, of a list in pieces of so many; empty where it can't be read to its end.
    private static func items(
        _ kind: String,
        _ page: [UInt8],
        most: Int
    ) throws(BrokenPromise) -> [ListedItem] {
        guard let file = tmpfile() else { return [] }
        defer { fclose(file) }
        fwrite(page, 1, page.count, file)
        fflush(file)
        var request = ListerRequest(
            id: 1,
            path: "",
            url: kind == "s3" ? "s3://bucket/" : "https://h.example/p"
        )
        request.rows.most = most
        var all: [ListedItem] = []
        while true {
            let isCompressed = page.starts(with: PageInput.compressedStart)
            let place = request.rows.usablePlace
            lseek(fileno(file), isCompressed ? place?.start ?? 0 : request.rows.bytes, SEEK_SET)
            let frames = frames(kind, request, fileno(file), isCompressed)
            guard let last = frames.last, last.kind == .page else {
                try promise(frames.last?.kind == .failure, "an answer has no end")
                return []
            }
            let listed = try check(frames, last, kind)
            all += listed.items
            guard case .rows(let rows)? = listed.page.next else { return all }
            try promise(rows.bytes > request.rows.bytes, "the list goes on where it was")
            request.rows = rows
        }
    }

    private static func frames(
        _ kind: String,
        _ request: ListerRequest,
        _ descriptor: Int32,
        _ isCompressed: Bool
    ) -> [ListerFrame] {
        programs.withLock { programs in
            if programs[kind] == nil {
                var program = ListerProgram(kind: kind)
                program.maximumBytes = 1 << 20
                if kind == "json" {
                    program.items = ".items"
                    program.url = ".url"
                    program.meta = ".meta?"
                    program.next = ".next"
                    program.total = ".total"
                }
                if kind == "xml" {
                    program.items = ".[]"
                    program.url = "tojson"
                }
                programs[kind] = try? PageProgram(program)
            }
            guard let program = programs[kind] else { return [] }
            var frames: [ListerFrame] = []
            let place = request.rows.usablePlace
            let input = PageInput(descriptor: descriptor, isCompressed: isCompressed, from: place)
            PageReader(program: program, request: request) { kind, body in
                frames.append(ListerFrame(kind, id: 1, body: body))
            }.run(input)
            return frames
        }
    }

    /// Checks what a page promises, whatever its bytes are.
    private static func check(
        _ frames: [ListerFrame],
        _ last: ListerFrame,
        _ kind: String
    ) throws(BrokenPromise) -> (items: [ListedItem], page: ListedPage) {
        guard let page = try? last.decode(ListedPage.self) else {
            throw BrokenPromise(description: "what a page says can't be read")
        }
        for frame in frames where frame.kind == .children {
            let children = try? frame.decode([ListedPage.Child].self)
            try promise(children != nil, "sitemaps can't be read")
        }
        var items: [ListedItem] = []
        for frame in frames.dropLast() where frame.kind != .children || kind != "sitemap" {
            guard frame.kind == .items, let more = try? frame.decode([ListedItem].self) else {
                throw BrokenPromise(description: "items can't be read")
            }
            items += more
        }
        for frame in frames {
            try promise(frame.bytes.count <= ListerFrame.maximumLength, "a frame is too long")
        }
        try promise(items.count + page.bad == page.listed, "\(page.listed) items aren't those that there are")
        try promise(page.badItems.count <= ListedPage.mostNamed, "too many bad items are named")
        try promise(page.total ?? 0 >= 0, "there are \(page.total ?? 0) items")
        for item in items where item.wanted != false {
            try promise(!item.url.isEmpty, "an item has no URL")
            try promise(item.url.utf8.count <= ListedItem.longestText, "a URL is too long")
            try promise(item.meta?.utf8.count ?? 0 <= ListedItem.longestMeta, "too much is kept with an item")
        }
        return (items, page)
    }
}
