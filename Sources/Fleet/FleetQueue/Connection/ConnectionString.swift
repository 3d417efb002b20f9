import CPostgres

/// What a connection string of libpq says.
public enum ConnectionString {
    /// Returns whether a password stands in one.
    public static func hasPassword(_ text: String) -> Bool {
        guard let first = PQconninfoParse(text, nil) else { return false }
        defer { PQconninfoFree(first) }
        var option = first
        while let keyword = option.pointee.keyword {
            if option.pointee.val != nil, ["password", "sslpassword"].contains(String(cString: keyword)) {
                return true
            }
            option += 1
        }
        return false
    }
}
