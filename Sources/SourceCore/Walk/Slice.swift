/// A part of a source that is walked by itself.
public struct Slice: Hashable, Sendable, Codable {
    /// What it is known by.
    public var key: String
    /// What is another when the slice has changed; nil where nothing says so.
    public var changed: String?
    /// The variables for its pages.
    public var variables: [String: String]
    /// Its first page, where that isn't the recipe's: a sitemap that an index names.
    public var url: String?

    /// A slice.
    public init(key: String, changed: String? = nil, variables: [String: String] = [:], url: String? = nil) {
        self.key = key
        self.changed = changed
        self.variables = variables
        self.url = url
    }
}

/// What is known of a slice from the walks before.
public struct SliceRecord: Hashable, Sendable, Codable {
    /// The value of `changed` at its last complete walk.
    public var changed: String?
    /// The walk that last read it to its end.
    public var completedIn: Int

    /// A slice that was read to its end.
    public init(changed: String?, completedIn: Int) {
        self.changed = changed
        self.completedIn = completedIn
    }
}

/// Which slices a walk has still to read.
public enum SlicePlan {
    /// The slices of ranges alone: one for each combination, the last variable changing fastest; empty
    /// where no variable has a range.
    public static func ranges(of recipe: Recipe) -> [Slice] {
        let ranges = recipe.variables.compactMap { variable in variable.slices.map { (variable.name, $0) } }
        guard !ranges.isEmpty else { return [] }
        var slices = [Slice(key: "")]
        for (name, texts) in ranges {
            slices = slices.flatMap { slice in
                texts.map { text in
                    var next = slice
                    next.key += (next.key.isEmpty ? "" : "&") + "\(name)=\(text)"
                    next.variables[name] = text
                    return next
                }
            }
        }
        return slices
    }

    /// Slices that were listed, once for each combination of the ranges.
    public static func combining(_ listed: [Slice], with ranges: [Slice]) -> [Slice] {
        guard !ranges.isEmpty else { return listed }
        return listed.flatMap { slice in
            ranges.map { range in
                var next = slice
                next.key += "&" + range.key
                next.variables.merge(range.variables) { own, _ in own }
                return next
            }
        }
    }

    /// Those that are to be read: not what this walk has read to its end, and not what hasn't changed since
    /// a walk read it to its end.
    ///
    /// Of slices with the same key the first counts.
    public static func pending(
        _ listed: [Slice],
        order: SliceOrder,
        records: [String: SliceRecord],
        walk: Int,
        isFull: Bool = false
    ) -> [Slice] {
        var seen: Set<String> = []
        let pending = listed.filter { slice in
            guard seen.insert(slice.key).inserted else { return false }
            guard let record = records[slice.key] else { return true }
            if record.completedIn == walk { return false }
            return isFull || slice.changed == nil || slice.changed != record.changed
        }
        return order == .reversed ? pending.reversed() : pending
    }
}
