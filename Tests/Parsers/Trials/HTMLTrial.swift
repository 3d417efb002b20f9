import Glibc
import SourceCore
import Synchronization

@testable import SourceReading

/// A page of HTML, whose items are everything that is found in it.
enum HTMLTrial {
    private static let url = "https://h.example/dir/p"
    /// Compiling takes 20 ms.
    private static let program = Mutex<PageProgram?>(nil)

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let frames = frames(bytes)
        guard let last = frames.last, last.kind == .page else {
            try promise(frames.last?.kind == .failure, "an answer has no end")
            return nil
        }
        guard let page = try? last.decode(ListedPage.self) else {
            throw BrokenPromise(description: "what a page says can't be read")
        }
        var items: [ListedItem] = []
        for frame in frames.dropLast() {
            guard frame.kind == .items, let more = try? frame.decode([ListedItem].self) else {
                throw BrokenPromise(description: "items can't be read")
            }
            items += more
        }
        try promise(items.count + page.bad == page.listed, "\(page.listed) items aren't those that there are")
        try promise(page.seen?.hasPrefix("the page") == true, "nobody is told what was seen")
        // Of a page on https, all that has no scheme of its own gets that one.
        for item in items where item.wanted != false && item.name != "text" {
            try promise(item.url.contains(":"), "a URL is not absolute")
        }
        return items.first { $0.name == "image" }?.url
    }

    private static func frames(_ page: [UInt8]) -> [ListerFrame] {
        guard let file = tmpfile() else { return [] }
        defer { fclose(file) }
        fwrite(page, 1, page.count, file)
        fflush(file)
        lseek(fileno(file), 0, SEEK_SET)
        return program.withLock { compiled in
            if compiled == nil {
                var program = ListerProgram(kind: "html")
                program.maximumBytes = 1 << 20
                program.items = """
                    (.images[] | {n: "image", u: (.url, .parent_link)}), (.links[] | {n: "link", u: .url}), \
                    ({n: "base", u: .base}), \
                    ({n: "text", u: (.title, .meta[], .images[].alt, .links[].text, (.json_ld[] | tojson))})
                    """
                program.select = ".u != null and .u != \"\""
                program.url = ".u"
                program.name = ".n"
                program.next = "link"
                compiled = try? PageProgram(program)
            }
            guard let compiled else { return [] }
            var frames: [ListerFrame] = []
            let request = ListerRequest(id: 1, path: "", url: url)
            PageReader(program: compiled, request: request) { kind, body in
                frames.append(ListerFrame(kind, id: 1, body: body))
            }.run(PageInput(descriptor: fileno(file), isCompressed: false))
            return frames
        }
    }
}
