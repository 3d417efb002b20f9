/// A part of a source that is walked separately.
public struct Slice: Hashable, Sendable, Codable {
    /// The slice's key.
    public var key: String
    /// A value that changes whenever the slice does; nil if there is none.
    public var changed: String?
    /// The variables for the slice's pages.
    public var variables: [String: String]
    /// The first page, if it isn't the recipe's: a sitemap listed by an index.
    public var url: String?

    public init(key: String, changed: String? = nil, variables: [String: String] = [:], url: String? = nil) {
        self.key = key
        self.changed = changed
        self.variables = variables
        self.url = url
    }
}

/// The record of a slice from earlier walks.
public struct SliceRecord: Hashable, Sendable, Codable {
    /// The value of `changed` at its last complete walk.
    public var changed: String?
    /// The number of the walk that last read it to its end.
    public var completedIn: Int

    public init(changed: String?, completedIn: Int) {
        self.changed = changed
        self.completedIn = completedIn
    }
}

/// Determines the slices that a walk has still to read.
public enum SlicePlan {
    /// Returns the slices from ranges alone: one for each combination, with the last variable changing
    /// fastest; empty if no variable has a range.
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

    /// Returns the listed slices, repeated for each combination of the ranges.
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

    /// Returns the slices to read, without those that this walk has finished and those unchanged since a
    /// walk read them to their end.
    ///
    /// Of slices with the same key, only the first counts.
    ///
    /// - Parameter rereadsBefore: the walk before which it doesn't count that a slice was read; nil if it
    ///   always does.
    public static func pending(
        _ listed: [Slice],
        order: SliceOrder,
        records: [String: SliceRecord],
        walk: Int,
        rereadsBefore: Int? = nil
    ) -> [Slice] {
        var seen: Set<String> = []
        let pending = listed.filter { slice in
            guard seen.insert(slice.key).inserted else { return false }
            guard let record = records[slice.key] else { return true }
            if record.completedIn == walk { return false }
            if let rereadsBefore, record.completedIn < rereadsBefore { return true }
            return slice.changed == nil || slice.changed != record.changed
        }
        return order == .reversed ? pending.reversed() : pending
    }
}
