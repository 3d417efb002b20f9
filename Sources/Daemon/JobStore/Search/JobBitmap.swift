import JobModel

/// A set of jobs: a bit for each id, in containers of 65,536 ids, of which those without any job take no
/// memory (the bitmap containers of Roaring: Chambi, Lemire, Kaser, Godin 2016).
struct JobBitmap {
    private var containers: [Int64: [UInt64]] = [:]

    private static let containerBits: Int64 = 16
    private static let wordsPerContainer = 1024

    /// Adds a job.
    mutating func insert(_ id: Int64) {
        let bit = id & 0xFFFF
        containers[
            id >> Self.containerBits,
            default: Array(repeating: 0, count: Self.wordsPerContainer)
        ][Int(bit >> 6)] |= 1 << UInt64(bit & 63)
    }

    /// Removes the jobs that aren't in another set.
    mutating func formIntersection(_ other: JobBitmap) {
        containers = containers.reduce(into: [:]) { common, container in
            guard let words = other.containers[container.key] else { return }
            common[container.key] = zip(container.value, words).map { $0 & $1 }
        }
    }

    /// The number of jobs.
    var count: Int {
        containers.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.nonzeroBitCount } }
    }

    /// Returns the first jobs of a range in an order, at most so many.
    func first(_ count: Int, from first: Int64, through last: Int64, _ order: JobOrder) -> [Int64] {
        guard first <= last, count > 0 else { return [] }
        let keys = containers.keys
            .filter { first >> Self.containerBits...last >> Self.containerBits ~= $0 }
            .sorted { order == .oldest ? $0 < $1 : $0 > $1 }
        var ids: [Int64] = []
        for key in keys {
            let words = containers[key] ?? []
            for place in 0..<words.count {
                let index = order == .oldest ? place : words.count - 1 - place
                var word = words[index]
                while word != 0 {
                    let bit =
                        order == .oldest ? word.trailingZeroBitCount : 63 - word.leadingZeroBitCount
                    word &= ~(1 << UInt64(bit))
                    let id = key << Self.containerBits + Int64(index << 6 + bit)
                    guard first...last ~= id else { continue }
                    ids.append(id)
                    if ids.count == count { return ids }
                }
            }
        }
        return ids
    }
}
