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
                if let item = try item(of: list) {
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

    /// Reads lines up to the next item; nil after the last.
    ///
    /// - Throws: ``FleetFailure`` with the number of a bad line.
    private func item(of list: OpenList) throws(FleetFailure) -> FleetQueue.NewItem? {
        while let line = try list.line() {
            if let item = try ListLine.item(line, priority: priority, place: list.place) { return item }
        }
        return nil
    }
}
