import ControlAPI

extension JSONReader {
    /// Reads the one value that a body is; of an object, calls `read` for each member, which must read its value.
    static func body(
        _ body: [UInt8],
        _ read: (inout JSONReader, String) throws(Malformed) -> Void
    ) throws(ProblemJSON) -> JSONValue {
        do throws(Malformed) {
            var reader = JSONReader(body)
            let value = try reader.members(read)
            try reader.end()
            return value
        } catch {
            throw ProblemJSON(error)
        }
    }

    /// Reads an array of ids; nil if it is none, has anything else, or more or fewer than it may.
    mutating func ids(_ counts: ClosedRange<Int>) throws(Malformed) -> [Int64]? {
        var ids: [Int64] = []
        var count = 0
        let kind = try elements { (reader) throws(Malformed) in
            count += 1
            if case .integer(let id) = try reader.value(), id > 0 { ids.append(id) }
        }
        guard case .array = kind, ids.count == count, counts.contains(count) else { return nil }
        return ids
    }
}
