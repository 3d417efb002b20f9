import CPostgres

/// What a connection string of libpq says.
enum ConnectionString {
    /// Returns whether libpq can read one as it is meant.
    ///
    /// What libpq says of one that it can't read has pieces of it, such as the rest of a password behind a blank or a
    /// slash: so whoever has this tells of it in words of their own.
    static func isReadable(_ text: String) -> Bool {
        let isURL = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
        // As libpq decides it: anything else is the name of a database.
        guard isURL || text.contains("=") else { return true }
        guard let options = PQconninfoParse(text, nil) else { return false }
        PQconninfoFree(options)
        guard isURL else { return true }
        // A sign that stands for itself in a password ends it, or all before the host.
        let bare = text.prefix { $0 != "?" }.split(separator: "://", maxSplits: 1).last ?? ""
        let authority = bare.prefix { $0 != "/" }
        return bare.count { $0 == "@" } <= 1 && authority.contains("@") == bare.contains("@")
    }

    /// Returns whether a password stands in one.
    static func hasPassword(_ text: String) -> Bool {
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
