/// A list that was added, while whoever copies it into the folder may not be at its end: it has only paused for longer
/// than a file has to be unchanged.
struct AddedList: Hashable, Sendable {
    /// The name that the file had.
    var name: EntryName
    /// The file as it was read.
    var mark: Sighting.Mark
    /// The number of files that were added of whole lines, which aren't added again.
    var count: Int

    /// A list of which so many files were added, the last perhaps of half a line.
    init(_ name: EntryName, _ copied: FileCopy.Copied, count: Int) {
        self.name = name
        mark = copied.mark
        self.count = copied.endsLine ? count : max(0, count - 1)
    }
}

/// The lists that were added last, which are looked at again.
struct AddedLists: Sendable {
    private var lists: [AddedList] = []
    /// Those that have grown, by the number of their files.
    private var grown: [UInt64: AddedList] = [:]

    /// The most lists that are looked at; each costs a stat(2) with each look at the folder.
    private static let most = 100

    /// Notes a list that was added; one that had its name before is gone.
    mutating func add(_ list: AddedList) {
        grown[list.mark.inode] = nil
        lists.removeAll { $0.name == list.name }
        lists.append(list)
        if lists.count > Self.most { lists.removeFirst() }
    }

    /// Has each list looked at: `look` returns false for one that has grown, and nil for one that is gone; returns the
    /// names of those that have grown.
    mutating func look(_ look: (AddedList) -> Bool?) -> [EntryName] {
        var names: [EntryName] = []
        lists = lists.filter { list in
            let stays = look(list)
            if stays == false {
                names.append(list.name)
                grown[list.mark.inode] = list
            }
            return stays == true
        }
        return names
    }

    /// Returns how many files of a list were added before it has grown.
    func count(of mark: Sighting.Mark) -> Int {
        grown[mark.inode].map { $0.mark.size <= mark.size ? $0.count : 0 } ?? 0
    }
}
