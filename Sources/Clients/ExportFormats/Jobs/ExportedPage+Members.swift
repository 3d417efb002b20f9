extension ExportedPage {
    /// Returns members of a job that no format needs, as the daemon has written them, in the order of their names
    /// here; nil for null, and for what isn't there.
    public func json(of names: [StaticString], in item: Item) throws(NoJob) -> [String?] {
        try JSONScanner.read(bytes, in: item.place) { (scanner) throws(NoJob) in
            var texts = [String?](repeating: nil, count: names.count)
            try scanner.object { (scanner, key) throws(NoJob) in
                guard let place = names.firstIndex(where: { key.spells($0) }) else {
                    try scanner.skip()
                    return
                }
                texts[place] = scanner.isNull() ? nil : scanner.text(of: try scanner.skip())
            }
            return texts
        }
    }
}
