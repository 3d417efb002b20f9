import Glibc
import SmallFiles

/// The items of a command: its URLs, and those of lists, which may be longer than there is memory.
struct ItemLists {
    private let urls: [String]
    private let paths: [String]
    private let priority: Int
    /// The number of URLs and of lists that have been read.
    private var (urlsRead, pathsRead) = (0, 0)
    private var list: OpenList?
    /// The number of items that have been read.
    private(set) var count = 0

    /// URLs, then lists by their paths, of which "-" is standard input.
    init(urls: [String], paths: [String], priority: Int) {
        (self.urls, self.paths, self.priority) = (urls, paths, priority)
    }

    /// Reads up to so many items; none after the last.
    ///
    /// - Throws: ``FleetFailure`` with the place of the first bad one.
    mutating func next(atMost most: Int) throws(FleetFailure) -> [FleetQueue.NewItem] {
        var items: [FleetQueue.NewItem] = []
        while items.count < most {
            if urlsRead < urls.count {
                let url = urls[urlsRead]
                urlsRead += 1
                items.append(try ListLine.item(url: url, priority: priority, place: url))
            } else if let list {
                if let item = try list.next(priority: priority) {
                    items.append(item)
                } else {
                    self.list = nil
                }
            } else if pathsRead < paths.count {
                list = try OpenList(paths[pathsRead])
                pathsRead += 1
            } else {
                break
            }
        }
        count += items.count
        return items
    }
}

/// A list that is being read.
private final class OpenList {
    private let path: String
    private let file: Int32
    private var pieces: Pieces
    /// What has been read and belongs to no line yet.
    private var rest: ArraySlice<UInt8> = []
    private var number = 0
    private var hasEnded = false

    /// Opens a list.
    init(_ path: String) throws(FleetFailure) {
        self.path = path
        file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw FleetFailure(.usage, "\(path) can't be read: \(String(cString: strerror(errno))).")
        }
        pieces = Pieces(file, ofAtMost: 1 << 20)
    }

    deinit { if file != STDIN_FILENO { close(file) } }

    /// Reads lines up to the next item; nil after the last.
    ///
    /// - Throws: ``FleetFailure`` with the number of a bad line.
    func next(priority: Int) throws(FleetFailure) -> FleetQueue.NewItem? {
        while let line = try line() {
            number += 1
            if let item = try ListLine.item(line, priority: priority, place: "\(path), line \(number)") {
                return item
            }
        }
        return nil
    }

    /// Reads a line, without its end; nil after the last.
    private func line() throws(FleetFailure) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                rest = rest[(end + 1)...]
                return line
            }
            line += rest
            // Nothing else may have the piece while the next one is read into its place.
            rest = []
            guard !hasEnded, line.count <= ListLine.longest else { return line.isEmpty ? nil : line }
            do throws(FileFailure) {
                if let piece = try pieces.next() { rest = piece } else { hasEnded = true }
            } catch {
                throw FleetFailure(.usage, "\(path) can't be read: \(error).")
            }
        }
    }
}
